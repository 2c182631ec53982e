# A new part is a new file: each folder's sources are globbed, and each folder is an OBJECT library, so that the linker
# drops no self-registration. A folder without sources is passed over until it has some.
#
#   sanvp_folder(<folder> [SYSTEMC | MIXED])
#     sanvp_<folder>          the objects, `/` written `_`
#     SYSTEMC                 its files may use SystemC, whose headers are precompiled
#     MIXED                   some may, the others are pure: there is an archive sanvp_<folder>_archive besides. A pure
#                             program (unit_tests) that links it takes the files it refers to and no others, and fails
#                             to link where such a file needs SystemC. A self-registering part that pure tests look up
#                             by name must live in a folder that is neither, since an archive may drop it.
#
# The objects make libsanvp.so, so they are position-independent. The program's own definitions are final
# (-fno-semantic-interposition): calls within a file are inlined as in a program, and the linker binds those between
# files (CMakeLists.txt). The library is loaded with the program, so thread-local data has a fixed place
# (initial-exec).
#
# Headers of the C++ library are precompiled for all folders: they are most of the time of a small file. SystemC's are
# only where SYSTEMC says so, else all files would need SystemC. Each file still includes what it uses; clang-tidy, which
# compiles without precompiled headers, finds what is missing.
set(SANVP_LIBRARY_OPTIONS -fno-semantic-interposition -ftls-model=initial-exec)
function(sanvp_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SYSTEMC;MIXED" "" "")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" name sanvp_${folder})
  add_library(${name} OBJECT ${sources})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE ${SANVP_LIBRARY_OPTIONS})
  set_property(GLOBAL APPEND PROPERTY SANVP_FOLDERS ${name})
  if(arg_SYSTEMC OR arg_MIXED)
    target_link_libraries(${name} PUBLIC sanvp_systemc)
  else()
    target_link_libraries(${name} PUBLIC sanvp_pure)
  endif()
  if(arg_SYSTEMC)
    target_precompile_headers(${name} REUSE_FROM sanvp_precompiled_systemc)
  else()
    target_precompile_headers(${name} REUSE_FROM sanvp_precompiled)
  endif()
  if(arg_MIXED)
    add_library(${name}_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}>)
    target_link_libraries(${name}_archive PUBLIC sanvp_pure)
    get_property(archives GLOBAL PROPERTY SANVP_ARCHIVES)
    set_property(GLOBAL PROPERTY SANVP_ARCHIVES ${name}_archive ${archives})  # users before what they use
  endif()
endfunction()

set(SANVP_STANDARD_HEADERS <algorithm> <array> <cstdint> <cstring> <deque> <functional> <map> <memory> <optional> <set>
  <span> <string> <utility> <vector> <fmt/format.h>)
file(CONFIGURE OUTPUT precompiled.cpp CONTENT "// Empty: its target compiles the shared header.\n")
function(sanvp_precompile name library)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE ${SANVP_LIBRARY_OPTIONS})
  target_link_libraries(${name} PUBLIC ${library})
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()
sanvp_precompile(sanvp_precompiled sanvp_pure ${SANVP_STANDARD_HEADERS})
sanvp_precompile(sanvp_precompiled_systemc sanvp_systemc ${SANVP_STANDARD_HEADERS} <systemc> <tlm>)
