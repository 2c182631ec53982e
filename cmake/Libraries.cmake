# What the project stands on. sanvp_pure is what pure C++ may use; sanvp_systemc adds SystemC with TLM-2.0.
find_package(Boost CONFIG REQUIRED COMPONENTS program_options context)
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

find_package(SystemC REQUIRED)
# What else may be wrong with it: another ABI of the C++ library, another processor.
string(MAKE_C_IDENTIFIER "SANVP_LINKS_${SystemC_LIBRARY}" links)
try_compile(${links}
  SOURCE_FROM_CONTENT probe.cpp "#include <systemc>\nint sc_main(int, char**) { return 0; }\n"
  COMPILE_DEFINITIONS -DSC_CPLUSPLUS=${SystemC_CPLUSPLUS}
  LINK_LIBRARIES sanvp::systemc
  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
  OUTPUT_VARIABLE probe_log)
if(NOT ${links})
  unset(${links} CACHE)  # ask again next time: the library may have been rebuilt
  string(REGEX MATCHALL "[^\n]*(error|undefined)[^\n]*" causes "${probe_log}")
  list(JOIN causes "\n  " causes)
  message(FATAL_ERROR
    "SystemC ${SystemC_VERSION} was found (${SystemC_LIBRARY}), but a C++20 program does not link with it. Was it built by another "
    "compiler? Install libsystemc-dev, or build SystemC again by ${CMAKE_CXX_COMPILER} with -DCMAKE_CXX_STANDARD=17, and "
    "name its folder: -DSYSTEMC_HOME=<folder>.\n  ${causes}")
endif()

add_library(sanvp_systemc INTERFACE)
target_link_libraries(sanvp_systemc INTERFACE sanvp_pure sanvp::systemc)
target_compile_definitions(sanvp_systemc INTERFACE SC_CPLUSPLUS=${SystemC_CPLUSPLUS} SC_INCLUDE_DYNAMIC_PROCESSES)
