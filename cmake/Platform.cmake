# Where sanvp can be built: 64-bit x86 and ARM under Linux.
#
# Native programs, whose instructions the build counts, are for x86-64 alone. On ARM programs run as RISC-V; drivers and
# firmware, which every machine has, are compiled for x86-64 there, too, and interpreted (models/native/README.md).
set(SANVP_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})
if(SANVP_PROCESSOR MATCHES "^(amd64|AMD64)$")
  set(SANVP_PROCESSOR x86_64)
elseif(SANVP_PROCESSOR STREQUAL "arm64")
  set(SANVP_PROCESSOR aarch64)
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
   OR NOT SANVP_PROCESSOR MATCHES "^(x86_64|aarch64)$"
   OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR
    "sanvp is for 64-bit x86 and ARM under Linux, not for ${CMAKE_SYSTEM_PROCESSOR} (${bits} bits) under ${CMAKE_SYSTEM_NAME}: "
    "build it on such a machine or in a container of one. To port it, write models/native/interpreted and "
    "models/cpu/riscv/floating/fpu_*.hpp for the other processor, then allow it in cmake/Platform.cmake.")
endif()

# build/NAME-emulated runs the program NAME, for tests and by hand, where it is for another processor than this computer's.
function(sanvp_emulated name)
  if(NOT CMAKE_CROSSCOMPILING)
    return()
  endif()
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "' '" emulator)
  set(script ${CMAKE_BINARY_DIR}/${name}-emulated)
  file(WRITE ${script} "#!/bin/sh\nexec '${emulator}' '${CMAKE_BINARY_DIR}/${name}' \"$@\"\n")
  file(CHMOD ${script} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
