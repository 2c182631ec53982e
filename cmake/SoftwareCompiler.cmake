# All C of the project is software of the virtual machines, whose instructions are counted as those of x86-64. So the C
# compiler is for x86-64 on every computer; the simulator itself is C++. Before project().
execute_process(COMMAND uname -m OUTPUT_VARIABLE computer OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT CMAKE_TOOLCHAIN_FILE AND NOT computer STREQUAL "x86_64")
  find_program(SANVP_X86_64_C x86_64-linux-gnu-gcc)
  if(NOT SANVP_X86_64_C)
    message(FATAL_ERROR "x86_64-linux-gnu-gcc was not found. Drivers and firmware are compiled for x86-64 and interpreted "
      "on ${computer}. On Debian: apt-get install gcc-x86-64-linux-gnu (scripts/build does this).")
  endif()
  set(CMAKE_C_COMPILER ${SANVP_X86_64_C})
endif()
