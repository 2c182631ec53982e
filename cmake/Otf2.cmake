# Optional: OTF2's library (version 3), which writes recordings for Vampir, Scalasca and other tools
# (platform/otf2/library). Without it that folder is left out, and `--trace F.otf2` says so.
pkg_check_modules(OTF2 QUIET IMPORTED_TARGET otf2>=3.0)

function(sanvp_otf2)
  if(NOT TARGET PkgConfig::OTF2)
    message(STATUS "OTF2 (Debian: libopen-trace-format2-dev) was not found: no recordings for Vampir and Scalasca")
    file(GLOB library ${CMAKE_SOURCE_DIR}/platform/otf2/library/*.cpp)
    set_source_files_properties(${library} PROPERTIES HEADER_FILE_ONLY ON)
    return()
  endif()
  target_link_libraries(sanvp_platform_otf2 PUBLIC PkgConfig::OTF2)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/platform/otf2/unavailable.cpp PROPERTIES
    COMPILE_DEFINITIONS SANVP_HAS_OTF2)
endfunction()
