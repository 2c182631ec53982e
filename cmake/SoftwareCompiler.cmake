# All C of the project is software of the virtual machines, whose instructions are counted as those of x86-64. So the C
# compiler is for x86-64 on every computer; the simulator itself is C++. GCC 12 is the reference: where it is installed,
# drivers and firmware take the same times, whatever the system's own GCC is. Before project().
find_program(SANVP_REFERENCE_C x86_64-linux-gnu-gcc-12 DOC "The reference compiler of drivers and firmware")
execute_process(COMMAND uname -m OUTPUT_VARIABLE computer OUTPUT_STRIP_TRAILING_WHITESPACE)
if(CMAKE_TOOLCHAIN_FILE)
  # aarch64-toolchain.cmake
elseif(NOT computer STREQUAL "x86_64")
  find_program(SANVP_X86_64_C x86_64-linux-gnu-gcc)
  if(SANVP_REFERENCE_C)
    set(CMAKE_C_COMPILER ${SANVP_REFERENCE_C})
  elseif(SANVP_X86_64_C)
    set(CMAKE_C_COMPILER ${SANVP_X86_64_C})
  else()
    message(FATAL_ERROR "x86_64-linux-gnu-gcc was not found. Drivers and firmware are compiled for x86-64 and interpreted "
      "on ${computer}. On Debian: apt-get install gcc-x86-64-linux-gnu (scripts/build does this).")
  endif()
elseif(SANVP_REFERENCE_C AND NOT DEFINED CMAKE_C_COMPILER AND NOT DEFINED ENV{CC})
  set(CMAKE_C_COMPILER ${SANVP_REFERENCE_C})
  find_program(SANVP_C_COMPILER NAMES cc gcc DOC "What sanvp-cc compiles programs with")
endif()
