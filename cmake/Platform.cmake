# Where sanvp can be built. Host software and firmware run natively: what a fault looks like
# (models/native/safety_net.cpp), how code finds its globals (globals_place.hpp), how instructions are counted
# (scripts/images/count.py) and whose FPU RISC-V programs use (models/cpu/riscv/floating/host_fpu.hpp) are written for one processor and one kernel.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
   OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$"
   OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  math(EXPR bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR
    "sanvp is for 64-bit x86 under Linux, not for ${CMAKE_SYSTEM_PROCESSOR} (${bits} bits) under ${CMAKE_SYSTEM_NAME}: "
    "build it on such a machine or in a container of one. To port it, write models/native/safety_net.cpp, "
    "globals_place.hpp, scripts/images/count.py and models/cpu/riscv/floating/host_fpu.hpp for the other processor, "
    "then allow it in cmake/Platform.cmake.")
endif()
