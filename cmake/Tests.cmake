# What `ctest` runs (tests/README.md), and the benchmarks, which it does not.
find_package(Catch2 QUIET)  # without it there are no tests, and all else builds; scripts/test installs it
if(NOT Catch2_FOUND OR Catch2_VERSION VERSION_LESS 2.13)
  message(STATUS "No tests: Catch2 2.13 or newer was not found (scripts/install test)")
  return()
endif()
include(Catch)
add_library(sanvp_catch INTERFACE)
target_link_libraries(sanvp_catch INTERFACE Catch2::Catch2WithMain)
if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
  target_include_directories(sanvp_catch INTERFACE ${CMAKE_SOURCE_DIR}/tests/support/catch2_3)
endif()
set(test_environment "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.supp")
# Of a process that is ended from outside the stack is not unwound, and what hangs on it is no leak of ours; so there
# leaks are looked for in pure tests alone.
set(machine_environment "ASAN_OPTIONS=detect_leaks=0")
# A test name that ctest cannot pass on (it holds a semicolon) must fail, not run nothing. Catch2 3 fails by itself.
set(no_empty_runs)
if(Catch2_VERSION VERSION_LESS 3)
  set(no_empty_runs EXTRA_ARGS --warn NoTests)
endif()
# Of a test's own file: its assertions are most of the code, and -O3 takes half as long again to compile them.
set(optimise_tests $<$<CONFIG:Release>:-O1>)
get_property(folders GLOBAL PROPERTY SANVP_FOLDERS)
get_property(archives GLOBAL PROPERTY SANVP_ARCHIVES)
# libsystemc has a main() of its own that calls sc_main: the library with the main() that is meant must be linked first.
file(CONFIGURE OUTPUT sc_main.cpp CONTENT
  "#include <cstdlib>\nextern \"C\" int sc_main(int, char**) { std::abort(); }  // the wrong main() was linked\n")

# What several kinds of test share; pure C++.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.cpp)
set(test_support)
if(sources)
  set(test_support test_support)
  add_library(test_support STATIC EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(test_support PUBLIC sanvp_pure)
  target_include_directories(test_support PRIVATE $<TARGET_PROPERTY:sanvp_catch,INTERFACE_INCLUDE_DIRECTORIES>)
endif()

# Pure C++: no SystemC is linked, so a test that needs it fails to link.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/*.cpp)
if(sources)
  add_executable(unit_tests ${sources})
  target_precompile_headers(unit_tests PRIVATE <catch2/catch.hpp>)
  target_link_libraries(unit_tests PRIVATE sanvp_catch ${test_support} sanvp_topologies sanvp_models_cpu sanvp_models_policies
    sanvp_platform_core $<TARGET_NAME_IF_EXISTS:sanvp_platform_faults> $<TARGET_NAME_IF_EXISTS:sanvp_platform_traffic> ${archives})
  target_compile_options(unit_tests PRIVATE ${optimise_tests})
  sanvp_link_pgo(unit_tests PARTS)
  catch_discover_tests(unit_tests TEST_PREFIX "unit/" ${no_empty_runs}
    PROPERTIES LABELS unit ENVIRONMENT "${test_environment}")
  # The transport's tests once more, with every event that models/net/elision.hpp says need not exist.
  file(GLOB transport CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests/unit ${CMAKE_SOURCE_DIR}/tests/unit/transport_*.cpp)
  list(TRANSFORM transport REPLACE "(.*)\\.cpp" "[#\\1]")
  list(JOIN transport "," transport)
  add_test(NAME "unit/transport without elision" COMMAND unit_tests --filenames-as-tags ${transport})
  set_tests_properties("unit/transport without elision" PROPERTIES LABELS unit
    ENVIRONMENT "${test_environment};SANVP_ELISION=off")
endif()

# SystemC elaborates once per process, and ctest runs each test case in a process of its own.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/models/*.cpp)
if(NOT SANVP_PROCESSOR STREQUAL "x86_64")
  list(FILTER sources EXCLUDE REGEX "/(native|interpreted|elan3_thread_crash)[.]cpp$")  # images run by the processor itself, whose callers faults name
endif()
if(sources)
  add_executable(model_tests ${sources} ${CMAKE_CURRENT_BINARY_DIR}/sc_main.cpp)
  target_precompile_headers(model_tests PRIVATE <systemc> <tlm> <catch2/catch.hpp>)
  target_link_libraries(model_tests PRIVATE sanvp_catch ${test_support} ${folders} sanvp_systemc)
  target_compile_options(model_tests PRIVATE ${optimise_tests})
  sanvp_link_pgo(model_tests PARTS)
  target_compile_definitions(model_tests PRIVATE SANVP_SW="${CMAKE_BINARY_DIR}/sw")
  add_dependencies(model_tests sw_images sw_test_images)
  catch_discover_tests(model_tests TEST_PREFIX "model/" ${no_empty_runs}
    PROPERTIES LABELS model ENVIRONMENT "${machine_environment}")
endif()

# Whole machines, through the command line: one pytest file is one test, and one more with the label `long` if some of its
# tests have the marker `long`.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/system/test_*.py)
set(tested $<TARGET_FILE:sanvp>)
if(CMAKE_CROSSCOMPILING)
  set(tested ${CMAKE_BINARY_DIR}/sanvp-emulated)
endif()
function(sanvp_system_test name labels)
  add_test(NAME "${name}" COMMAND ${SANVP_PYTHON} -m pytest -q -rs -p no:cacheprovider ${ARGN})
  set_tests_properties("${name}" PROPERTIES LABELS "${labels}"
    ENVIRONMENT "SANVP=${tested};PYTHONDONTWRITEBYTECODE=1;${machine_environment}")
endfunction()
if(NOT SANVP_PROCESSOR STREQUAL "x86_64")
  file(STRINGS ${CMAKE_SOURCE_DIR}/tests/system/native.txt native REGEX "[.]py$")
  list(TRANSFORM native PREPEND ${CMAKE_SOURCE_DIR}/tests/system/)
  list(REMOVE_ITEM sources ${native})
endif()
if(TARGET sanvp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    file(STRINGS ${source} marked REGEX "pytest[.]mark[.]long" LIMIT_COUNT 1)
    if(marked)
      sanvp_system_test("long/${name}" "system;long" --long -m long ${source})
    endif()
    if(NOT marked MATCHES "^pytestmark")  # not all of its tests
      sanvp_system_test("system/${name}" system ${source})
    endif()
  endforeach()
endif()

# Mutated input for every parser (tests/fuzz/run): half a minute of it here, of always the same seed.
if(TARGET sanvp AND EXISTS ${CMAKE_SOURCE_DIR}/tests/fuzz/parsers.cpp)
  add_executable(fuzz_parsers ${CMAKE_SOURCE_DIR}/tests/fuzz/parsers.cpp ${CMAKE_CURRENT_BINARY_DIR}/sc_main.cpp)
  target_link_libraries(fuzz_parsers PRIVATE ${folders} sanvp_systemc)
  sanvp_link_pgo(fuzz_parsers WHOLE)
  add_dependencies(fuzz_parsers sw_images sw_test_images)
  add_test(NAME "fuzz/every parser" COMMAND ${CMAKE_SOURCE_DIR}/tests/fuzz/run 0.5 1 ${CMAKE_BINARY_DIR}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties("fuzz/every parser" PROPERTIES LABELS fuzz ENVIRONMENT "${machine_environment}")
endif()

add_test(NAME "dependencies/point one way" COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/check.py)
add_test(NAME "dependencies/violations are found"
  COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/test_check.py)
add_test(NAME "dependencies/maps hold" COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/maps.py)
add_test(NAME "dependencies/gaps in maps are found"
  COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/test_maps.py)
add_test(NAME "dependencies/words are plain" COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/words.py)
add_test(NAME "dependencies/unclear words are found"
  COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/dependencies/test_words.py)
set_tests_properties("dependencies/point one way" "dependencies/violations are found" "dependencies/maps hold"
  "dependencies/gaps in maps are found" "dependencies/words are plain" "dependencies/unclear words are found"
  PROPERTIES LABELS dependencies)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/bench/*.cpp)
find_package(benchmark QUIET)  # without it there is no target `bench`, and all else builds
if(sources AND benchmark_FOUND)
  add_executable(bench ${sources} ${CMAKE_CURRENT_BINARY_DIR}/sc_main.cpp)
  target_link_libraries(bench PRIVATE benchmark::benchmark_main ${test_support} sanvp_library)  # what users run
endif()

include(TestsRiscv)

# Long random comparisons of both fidelities, by hand (tests/exactness/README.md).
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/exactness/*.cpp)
if(sources)
  add_executable(exactness EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(exactness PRIVATE ${test_support} sanvp_topologies sanvp_models_policies
    sanvp_platform_core ${archives})
endif()
