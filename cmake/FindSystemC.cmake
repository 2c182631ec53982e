# find_package(SystemC): the target sanvp::systemc. SystemC is taken from the first of these that exists:
#
#   SYSTEMC_HOME        -DSYSTEMC_HOME=<folder>, or the variable of the environment: where you installed your own
#   SystemCLanguage     the CMake package of SystemC, in a folder of CMAKE_PREFIX_PATH or at SystemCLanguage_DIR
#   systemc.pc          by pkg-config: in a folder of PKG_CONFIG_PATH, or the system's (Debian, Ubuntu: libsystemc-dev)
#
# and sets
#
#   SystemC_VERSION     the version of the headers
#   SystemC_CPLUSPLUS   the C++ standard that the library was compiled for, as SC_CPLUSPLUS takes it: 201703L
#   SystemC_INCLUDE_DIR, SystemC_LIBRARY
#
# It stops with a message that names the cure. It is installed, too, for sanvp-config.cmake.
set(SYSTEMC_HOME "$ENV{SYSTEMC_HOME}" CACHE PATH "Folder of your own SystemC; empty: what CMake or pkg-config finds")
set(systemc_own "For your own: -DSYSTEMC_HOME=<the folder it is installed in>, or the environment's SYSTEMC_HOME.")
set(systemc_only)
if(SYSTEMC_HOME)
  set(systemc_found_by "SYSTEMC_HOME")
  set(systemc_folders ${SYSTEMC_HOME})
  set(systemc_only NO_DEFAULT_PATH)
else()
  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    set(systemc_found_by "its CMake package ${SystemCLanguage_DIR}")
    cmake_path(SET systemc_folders NORMALIZE "${SystemCLanguage_DIR}/../../..")
    set(systemc_only NO_DEFAULT_PATH)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC QUIET systemc)
    if(NOT SYSTEMC_FOUND)
      message(FATAL_ERROR "SystemC was not found. On Debian and Ubuntu: apt-get install libsystemc-dev (scripts/build does this). "
        "${systemc_own} Or put the folder of its systemc.pc on PKG_CONFIG_PATH.")
    endif()
    set(systemc_found_by "pkg-config")
    set(systemc_folders ${SYSTEMC_INCLUDE_DIRS} ${SYSTEMC_LIBRARY_DIRS} ${SYSTEMC_PREFIX})
  endif()
endif()

# lib-linux64 and the like: `configure` of SystemC installs there if it is not told otherwise.
find_path(SystemC_INCLUDE_DIR sysc/kernel/sc_ver.h NO_CACHE HINTS ${systemc_folders} PATH_SUFFIXES include ${systemc_only})
find_library(SystemC_LIBRARY systemc NO_CACHE HINTS ${systemc_folders}
  PATH_SUFFIXES lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE} lib-linux64 lib-linuxaarch64 ${systemc_only})
if(NOT SystemC_INCLUDE_DIR OR NOT SystemC_LIBRARY)
  list(JOIN systemc_folders ", " systemc_folders)
  message(FATAL_ERROR "SystemC, named by ${systemc_found_by}, is not in ${systemc_folders}: headers (include/systemc): "
    "${SystemC_INCLUDE_DIR}, library (lib/libsystemc.so): ${SystemC_LIBRARY}. Name the folder that `make install` or "
    "`cmake --install` of SystemC wrote to. ${systemc_own}")
endif()

# Without the slash that find_path may leave at the end: /usr/include is compared with the compiler's own folders, as naming
# one of those by -isystem hides headers from the C++ library.
string(REGEX REPLACE "(.)/+$" "\\1" SystemC_INCLUDE_DIR "${SystemC_INCLUDE_DIR}")
file(STRINGS ${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h systemc_version REGEX "define +SC_VERSION_(MAJOR|MINOR|PATCH) ")
list(TRANSFORM systemc_version REPLACE ".* ([0-9]+).*" "\\1")
list(JOIN systemc_version "." SystemC_VERSION)
set(systemc_which "SystemC ${SystemC_VERSION} (${SystemC_LIBRARY}, found by ${systemc_found_by})")
if(SystemC_VERSION VERSION_LESS 2.3.4)
  message(FATAL_ERROR "${systemc_which} is too old: sanvp needs 2.3.4 or newer. ${systemc_own}")
endif()

# SystemC's ABI has the C++ standard of its library in the name of a symbol that each object of its users refers to;
# SC_CPLUSPLUS chooses the name, so that C++20 code links with a library for C++17, as Debian's is. A library
# for C++23 does not go with C++20 code, and one for C++14 lacks what the headers then expect.
file(STRINGS ${SystemC_LIBRARY} systemc_abi REGEX "sc_api_version_[0-9_]*cxx[0-9]+L" LIMIT_COUNT 1)
if(systemc_abi MATCHES "sc_api_version_([0-9]+)_([0-9]+)_([0-9]+)_cxx([0-9]+L)")
  set(systemc_library_version ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
  set(SystemC_CPLUSPLUS ${CMAKE_MATCH_4})
  if(NOT systemc_library_version VERSION_EQUAL SystemC_VERSION)
    message(FATAL_ERROR "${systemc_which}: the library is of version ${systemc_library_version}, the headers in "
      "${SystemC_INCLUDE_DIR} are of ${SystemC_VERSION}. Remove one of the two. ${systemc_own}")
  endif()
  if(NOT SystemC_CPLUSPLUS MATCHES "^(201703|202002)L$")
    message(FATAL_ERROR "${systemc_which} was built for another C++ standard (${SystemC_CPLUSPLUS}) than C++17 or C++20. "
      "Build it again with cmake -DCMAKE_CXX_STANDARD=17, or configure CXXFLAGS=-std=c++17, and install it.")
  endif()
else()
  message(FATAL_ERROR "${systemc_which} is not a library of SystemC: it lacks the symbol sc_api_version_... ${systemc_own}")
endif()

if(NOT TARGET sanvp::systemc)
  add_library(sanvp::systemc INTERFACE IMPORTED)
  target_include_directories(sanvp::systemc INTERFACE ${SystemC_INCLUDE_DIR})
  target_link_libraries(sanvp::systemc INTERFACE ${SystemC_LIBRARY})
endif()
set(SystemC_FOUND TRUE)
