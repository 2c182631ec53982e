# For projects of users, whose programs become ones of RISC-V for `sanvp run`:
#
#   cmake -S . -B build-riscv64 --toolchain SANVP/build/sw/riscv64/toolchain.cmake
#   (installed: PREFIX/lib/sanvp/sw/riscv64/toolchain.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
find_program(SANVP_CC sanvp-cc NO_DEFAULT_PATH REQUIRED
  PATHS ${CMAKE_CURRENT_LIST_DIR}/../.. ${CMAKE_CURRENT_LIST_DIR}/../../../../bin)
cmake_path(GET SANVP_CC PARENT_PATH folder)
set(CMAKE_C_COMPILER ${folder}/sanvp-cc --target riscv64)
set(CMAKE_CXX_COMPILER ${folder}/sanvp-c++ --target riscv64)
set(CMAKE_Fortran_COMPILER ${folder}/sanvp-fc)
# Programs that a configuration runs are one rank on a small machine.
set(CMAKE_CROSSCOMPILING_EMULATOR ${folder}/sanvp;run;qsnet-16;--np;1)
# Libraries and headers of the simulating computer are of another processor.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH /usr/riscv64-linux-gnu)
