# The RISC-V interpreter and user-level Linux, by themselves: no SystemC, no machine, so that they build quickly.
#   riscv_run    runs a program of RV64 (tests/riscv/run.cpp)
#   riscv_tests  Catch2
#   the pytest files of tests/riscv compare programs with qemu-riscv64
set(riscv_libraries sanvp_models_cpu sanvp_platform_core ${archives})
add_executable(riscv_run ${CMAKE_SOURCE_DIR}/tests/riscv/run.cpp)
target_link_libraries(riscv_run PRIVATE ${riscv_libraries})
sanvp_link_pgo(riscv_run PARTS)
