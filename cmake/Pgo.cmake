# Profile-guided optimisation, PGO (SANVP_PGO; `scripts/build --pgo`). The models, which handle millions of packets, are
# compiled twice. The first compilation is instrumented: the program made of it runs a workload of packets and messages on
# the six machines (PgoWorkload.cmake) and counts how often each branch is taken and each function called. The second
# compilation uses this profile: for the likely side of each branch, for inlining, also across files, and to keep code
# that is hardly ever run out of the way. Results of simulations are the same. tests/bench/README.md has the gain.
# It needs GCC, and is neither for debugging nor for sanitizers.
option(SANVP_PGO "Profile-guided optimisation: compile the models twice, the second time with a profile (GCC only)" OFF)

if(SANVP_PGO AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(STATUS "SANVP_PGO needs GCC: everything is compiled once")
  set(SANVP_PGO OFF)
elseif(SANVP_PGO AND (SANVP_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug"))
  message(STATUS "SANVP_PGO makes no sense with a debug build or sanitizers: everything is compiled once")
  set(SANVP_PGO OFF)
endif()

# sanvp_pgo(<target>...): optimises the objects of these folders. Call it after all folders of sanvp are defined.
function(sanvp_pgo)
  if(NOT SANVP_PGO)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/pgo)
  set(stamp ${folder}/profile_stamp.hpp)
  get_property(others GLOBAL PROPERTY SANVP_FOLDERS)
  list(REMOVE_ITEM others ${ARGN})

  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    add_library(${target}_instrumented OBJECT EXCLUDE_FROM_ALL ${sources})
    target_compile_options(${target}_instrumented PRIVATE ${SANVP_LIBRARY_OPTIONS} -fprofile-generate
      -fprofile-update=single)
    # Without ccache: an object from the cache may come from another build folder, and would write its profile there.
    set_target_properties(${target}_instrumented PROPERTIES
      CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/cmake/pgo_compile.sh
      EXPORT_COMPILE_COMMANDS OFF POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${target}_instrumented PUBLIC sanvp_systemc)
    list(APPEND instrumented ${target}_instrumented)
    list(APPEND instrumented_objects $<TARGET_OBJECTS:${target}_instrumented>)
    list(APPEND profiles ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir)
    # The stamp is an empty header that all objects include: an order-only dependency would not compile them again after
    # a new profile. A precompiled header is used only where it comes first.
    set(first_header)
    get_target_property(precompiled ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(precompiled)
      target_precompile_headers(${target}_instrumented REUSE_FROM ${precompiled})
      set(first_header "-include ${CMAKE_BINARY_DIR}/CMakeFiles/${precompiled}.dir/cmake_pch.hxx")
    endif()
    target_compile_options(${target} PRIVATE "SHELL:${first_header} -include ${stamp}")
    # -fprofile-partial-training: functions that the workload has not reached are optimised as without a profile. Fat
    # objects can be linked as they are, or optimised across files while linking. In functions without a profile GCC 12
    # reports some optionals as maybe uninitialised; the instrumented objects are compiled with this warning.
    target_compile_options(${target} PRIVATE -fprofile-use -fprofile-partial-training -fprofile-correction
      -Wno-missing-profile -Wno-maybe-uninitialized -flto=auto -ffat-lto-objects)
  endforeach()

  file(MAKE_DIRECTORY ${folder})
  foreach(own sw machines)  # sanvp looks for them beside itself
    file(CREATE_LINK ${CMAKE_BINARY_DIR}/${own} ${folder}/${own} SYMBOLIC)
  endforeach()
  add_executable(sanvp_instrumented EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/platform/main.cpp)
  set_target_properties(sanvp_instrumented PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder} EXPORT_COMPILE_COMMANDS OFF)
  target_link_libraries(sanvp_instrumented PRIVATE ${others} ${instrumented} sanvp_systemc)
  target_link_options(sanvp_instrumented PRIVATE -fprofile-generate)

  set(script ${CMAKE_SOURCE_DIR}/cmake/PgoWorkload.cmake)
  # Depends on the instrumented objects, not on the program and the images: where only others changed, the profile holds.
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:sanvp_instrumented> -DSCRATCH=${folder} "-DPROFILES=${profiles}" -P
      ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${script} ${instrumented_objects}
    COMMENT "Profiling: packets and messages on the six machines"
    VERBATIM)
  add_custom_target(sanvp_profile DEPENDS ${stamp})
  add_dependencies(sanvp_profile sw_images)
  foreach(target ${ARGN})
    add_dependencies(${target} sanvp_profile)
  endforeach()
endfunction()

# sanvp_link_pgo(<executable> WHOLE | PARTS). WHOLE: optimised across files while linking, which takes half a minute.
# PARTS: the objects as they are, at once. The index of an archive then names functions of the C++ library as well, for
# which the archive must not be opened: the library comes first.
function(sanvp_link_pgo executable how)
  if(NOT SANVP_PGO OR NOT TARGET ${executable})
    return()
  elseif(how STREQUAL "WHOLE")
    target_link_options(${executable} PRIVATE -flto=auto)
  else()
    target_link_options(${executable} PRIVATE -fno-lto "LINKER:--push-state,--no-as-needed,-lstdc++,--pop-state")
  endif()
endfunction()
