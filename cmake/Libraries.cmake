# What the project stands on. sanvp_pure is what pure C++ may use; sanvp_systemc adds SystemC with TLM-2.0.
find_package(Boost REQUIRED COMPONENTS program_options context)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)  # compressed traces
find_program(SANVP_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "Python that has the Debian packages")
find_program(SANVP_PYTHON python3 REQUIRED)

# Files of programs: sections and checks by libelf, functions and lines by libdw.
pkg_check_modules(ELFUTILS REQUIRED IMPORTED_TARGET libelf libdw)

add_library(sanvp_pure INTERFACE)
target_include_directories(sanvp_pure INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(sanvp_pure INTERFACE Boost::program_options Boost::context PkgConfig::ELFUTILS fmt::fmt
  nlohmann_json::nlohmann_json ZLIB::ZLIB)

pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc>=2.3.4)
if(NOT SYSTEMC_FOUND)
  message(FATAL_ERROR
    "SystemC 2.3.4 or newer was not found by pkg-config. On Debian: apt-get install libsystemc-dev (scripts/build does "
    "this); elsewhere: put the folder of its systemc.pc on PKG_CONFIG_PATH.")
endif()

# SystemC bakes the C++ standard it was built with into a symbol that every user must link against. Debian's says
# C++17; SC_CPLUSPLUS chooses the symbol, so C++20 code can use it. Probe which one this library has.
foreach(standard 201703L 202002L)
  if(NOT SANVP_SC_CPLUSPLUS)
    try_compile(SANVP_SYSTEMC_${standard}
      SOURCE_FROM_CONTENT probe.cpp "#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
      COMPILE_DEFINITIONS -DSC_CPLUSPLUS=${standard}
      LINK_LIBRARIES PkgConfig::SYSTEMC
      CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
      OUTPUT_VARIABLE probe_log)
    if(SANVP_SYSTEMC_${standard})
      set(SANVP_SC_CPLUSPLUS ${standard} CACHE INTERNAL "C++ standard in the ABI symbol of the SystemC library")
    else()
      unset(SANVP_SYSTEMC_${standard} CACHE)  # ask again next time: the library may have been rebuilt
      string(REGEX MATCHALL "[^\n]*(error|undefined)[^\n]*" causes "${probe_log}")
      list(JOIN causes "\n  " causes)
      string(APPEND probe_logs "\n with SC_CPLUSPLUS=${standard}:\n  ${causes}")
    endif()
  endif()
endforeach()
if(NOT SANVP_SC_CPLUSPLUS)
  message(FATAL_ERROR
    "SystemC ${SYSTEMC_VERSION} was found (${SYSTEMC_LINK_LIBRARIES}), but a C++20 program does not link with it. An "
    "undefined sc_api_version_... below means that the library was built for a C++ standard other than C++17 or "
    "C++20, or is not the version of its headers: install libsystemc-dev, or rebuild SystemC with "
    "-DCMAKE_CXX_STANDARD=17. Then configure afresh: cmake --fresh.${probe_logs}")
endif()

add_library(sanvp_systemc INTERFACE)
target_link_libraries(sanvp_systemc INTERFACE sanvp_pure PkgConfig::SYSTEMC)
target_compile_definitions(sanvp_systemc INTERFACE SC_CPLUSPLUS=${SANVP_SC_CPLUSPLUS} SC_INCLUDE_DYNAMIC_PROCESSES)
