# The RISC-V interpreter and user-level Linux, by themselves: no SystemC and no machine, so that they build quickly.
#   riscv_run    runs a program of RV64 (tests/riscv/run.cpp)
#   riscv_run32  the same of RV32, for random instructions
#   riscv_fuzz   hostile files, words and system calls
#   riscv_tests  Catch2
#   the pytest files of tests/riscv compare programs with qemu-riscv64; without it or the compilers they are skipped
set(riscv_libraries sanvp_models_cpu sanvp_platform_core sanvp_models_native_archive)
foreach(name run run32 fuzz)
  add_executable(riscv_${name} ${CMAKE_SOURCE_DIR}/tests/riscv/${name}.cpp)
  target_link_libraries(riscv_${name} PRIVATE ${riscv_libraries})
  sanvp_link_pgo(riscv_${name} PARTS)
  sanvp_emulated(riscv_${name})
endforeach()

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/riscv/*.cpp)
list(FILTER sources EXCLUDE REGEX "/(run|run32|fuzz)[.]cpp$")
add_executable(riscv_tests ${sources})
target_link_libraries(riscv_tests PRIVATE sanvp_catch ${riscv_libraries})
target_compile_options(riscv_tests PRIVATE ${optimise_tests})
# The FPU's operations stay between the loads and reads of its flags.
set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/riscv/soft_float.cpp PROPERTIES
  COMPILE_OPTIONS "-frounding-math;$<$<CXX_COMPILER_ID:GNU>:-fsignaling-nans>;-ftrapping-math;-fno-math-errno")
sanvp_link_pgo(riscv_tests PARTS)
catch_discover_tests(riscv_tests TEST_PREFIX "riscv/" ${no_empty_runs}
  PROPERTIES LABELS riscv ENVIRONMENT "${test_environment}")

function(sanvp_riscv_test name labels)
  add_test(NAME "${name}" COMMAND ${SANVP_PYTHON} -m pytest -q -rs -p no:cacheprovider ${ARGN})
  set_tests_properties("${name}" PROPERTIES LABELS "${labels}"
    ENVIRONMENT "SANVP_BUILD=${CMAKE_BINARY_DIR};PYTHONDONTWRITEBYTECODE=1;${machine_environment}")
endfunction()
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/riscv/test_*.py)
foreach(source ${sources})
  cmake_path(GET source STEM name)
  sanvp_riscv_test("riscv/${name}" riscv ${source})
  file(STRINGS ${source} marked REGEX "pytest[.]mark[.]long" LIMIT_COUNT 1)
  if(marked)
    sanvp_riscv_test("long/riscv_${name}" "riscv;long" --long -m long ${source})
  endif()
endforeach()
