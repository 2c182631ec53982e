# libsanvp.so, all of sanvp but its main(), and the program. Parts of users (scripts/sanvp-part.in) and programs that
# embed sanvp (cmake/sanvp-config.cmake.in) link the library, so that a process has one registry of each kind and one
# SystemC.
#
#   build/libsanvp.so   the library
#   build/sanvp         the program
#   build/include/      all headers, as they are installed (Headers.cmake)
#   build/machines      the machine files, where the library finds them (platform/core/own_files.hpp)
set(SANVP_HEADERS ${CMAKE_BINARY_DIR}/include/sanvp)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/platform/*.hpp ${CMAKE_SOURCE_DIR}/topologies/*.hpp
  ${CMAKE_SOURCE_DIR}/models/*.hpp ${CMAKE_SOURCE_DIR}/models/*.h ${CMAKE_SOURCE_DIR}/sw/*.h)
set(SANVP_HEADERS_STAMP ${CMAKE_BINARY_DIR}/part_headers.cpp)
add_custom_command(OUTPUT ${SANVP_HEADERS_STAMP}
  COMMAND ${CMAKE_COMMAND} -DFROM=${CMAKE_SOURCE_DIR} -DTO=${SANVP_HEADERS} -DSTAMP=${SANVP_HEADERS_STAMP}
    -DVERSION=${PROJECT_VERSION} -P ${CMAKE_SOURCE_DIR}/cmake/Headers.cmake
  DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/cmake/Headers.cmake
  COMMENT "Headers for parts and for programs that embed sanvp"
  VERBATIM)
target_sources(sanvp_platform_core PRIVATE ${SANVP_HEADERS_STAMP})
set_source_files_properties(${SANVP_HEADERS_STAMP} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

get_property(folders GLOBAL PROPERTY SANVP_FOLDERS)
add_library(sanvp_library SHARED)
target_link_libraries(sanvp_library PRIVATE ${folders} PUBLIC sanvp_systemc)
set_target_properties(sanvp_library PROPERTIES OUTPUT_NAME sanvp VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# Calls within the library are direct, as in a program. Data stays open to the loader, which makes one of what several
# objects define: a registry is such data.
target_link_options(sanvp_library PRIVATE -Wl,-Bsymbolic-functions)
if(NOT SANVP_SANITIZE)
  target_link_options(sanvp_library PRIVATE -Wl,-z,defs)
endif()

file(CREATE_LINK ${CMAKE_SOURCE_DIR}/platform/machines ${CMAKE_BINARY_DIR}/machines SYMBOLIC)
add_executable(sanvp ${CMAKE_SOURCE_DIR}/platform/main.cpp)
target_link_libraries(sanvp PRIVATE sanvp_library)
add_dependencies(sanvp sw_images)
sanvp_emulated(sanvp)

# build/sanvp-part
set(SANVP_SYSTEMC_OPTIONS)  # none if it is in the compiler's own folders
if(NOT SystemC_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  cmake_path(GET SystemC_LIBRARY PARENT_PATH folder)
  set(SANVP_SYSTEMC_OPTIONS " -isystem '${SystemC_INCLUDE_DIR}' -L '${folder}'")
endif()
set(SANVP_CXX_COMPILER ${CMAKE_CXX_COMPILER})
configure_file(${CMAKE_SOURCE_DIR}/scripts/sanvp-part.in ${CMAKE_BINARY_DIR}/sanvp-part @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
