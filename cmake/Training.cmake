# A trained build (SANVP_TRAIN; GCC, neither Debug nor with sanitizers). What does the work of millions of packets, the
# network with the hosts and cards at its ends, is compiled twice: first with counters, for a sanvp that sends packets and
# messages through the six machines (Train.cmake); then with what was counted, so that the compiler knows which way a
# branch goes, which calls are worth inlining, across files, too, and what is hardly ever run and need not lie in between.
# Results are the same (tests/bench/README.md: what is gained). It takes some minutes: who works on the models builds
# without.
option(SANVP_TRAIN "Compile the models twice, the second time with what a trial has counted (GCC only)" OFF)

if(SANVP_TRAIN AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(STATUS "SANVP_TRAIN is for GCC: everything is compiled once")
  set(SANVP_TRAIN OFF)
elseif(SANVP_TRAIN AND (SANVP_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug"))
  message(STATUS "SANVP_TRAIN is for what is to be fast: everything is compiled once")
  set(SANVP_TRAIN OFF)
endif()

# sanvp_train(<target>...): the objects of these folders. Call it when all that sanvp consists of is known.
function(sanvp_train)
  if(NOT SANVP_TRAIN)
    return()
  endif()
  set(place ${CMAKE_BINARY_DIR}/training)
  set(stamp ${place}/trained.hpp)
  get_property(others GLOBAL PROPERTY SANVP_FOLDERS)
  list(REMOVE_ITEM others ${ARGN})

  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    add_library(${target}_counting OBJECT EXCLUDE_FROM_ALL ${sources})
    target_compile_options(${target}_counting PRIVATE -fprofile-generate -fprofile-update=single)
    # Without ccache: it might bring an object of another build folder, which would write its counts there.
    set_target_properties(${target}_counting PROPERTIES CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/cmake/count.sh
      EXPORT_COMPILE_COMMANDS OFF)
    target_link_libraries(${target}_counting PUBLIC sanvp_systemc)
    list(APPEND counting ${target}_counting)
    list(APPEND counting_objects $<TARGET_OBJECTS:${target}_counting>)
    list(APPEND counts ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir)
    # The stamp is an empty header that all objects include: an order alone would not compile them again when new trials
    # have brought new counts. A precompiled header counts only where it is the first.
    set(first_header)
    get_target_property(precompiled ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(precompiled)
      target_precompile_headers(${target}_counting REUSE_FROM ${precompiled})
      set(first_header "-include ${CMAKE_BINARY_DIR}/CMakeFiles/${precompiled}.dir/cmake_pch.hxx")
    endif()
    target_compile_options(${target} PRIVATE "SHELL:${first_header} -include ${stamp}")
    # What no trial has reached is compiled as ever. Objects can be linked as they are, or be compiled once more as one.
    # Where a trial has not been, GCC 12 takes some optional for uninitialised: the objects that count are watched for it.
    target_compile_options(${target} PRIVATE -fprofile-use -fprofile-partial-training -fprofile-correction
      -Wno-missing-profile -Wno-maybe-uninitialized -flto=auto -ffat-lto-objects)
  endforeach()

  file(MAKE_DIRECTORY ${place})
  file(CREATE_LINK ${CMAKE_BINARY_DIR}/sw ${place}/sw SYMBOLIC)  # a program finds images beside it
  add_executable(sanvp_training EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/platform/main.cpp)
  set_target_properties(sanvp_training PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place} EXPORT_COMPILE_COMMANDS OFF)
  target_link_libraries(sanvp_training PRIVATE ${others} ${counting} sanvp_systemc)
  target_link_options(sanvp_training PRIVATE -fprofile-generate)

  set(script ${CMAKE_SOURCE_DIR}/cmake/Train.cmake)
  # Not the program and the images but its objects that count: where others have changed, the counts still hold.
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:sanvp_training> -DPLACE=${place} "-DCOUNTS=${counts}" -P
      ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${script} ${counting_objects}
    COMMENT "Training: packets and messages through the six machines"
    VERBATIM)
  add_custom_target(sanvp_trained DEPENDS ${stamp})
  add_dependencies(sanvp_trained sw_images)
  foreach(target ${ARGN})
    add_dependencies(${target} sanvp_trained)
  endforeach()
endfunction()

# sanvp_link_trained(<executable> WHOLE | PARTS). WHOLE: optimised across files while it is linked, in half a minute.
# PARTS: the objects as they are, at once. The index of an archive then names functions of the C++ library as well, for
# which the archive must not be opened: the library comes first.
function(sanvp_link_trained executable how)
  if(NOT SANVP_TRAIN OR NOT TARGET ${executable})
    return()
  elseif(how STREQUAL "WHOLE")
    target_link_options(${executable} PRIVATE -flto=auto)
  else()
    target_link_options(${executable} PRIVATE -fno-lto "LINKER:--push-state,--no-as-needed,-lstdc++,--pop-state")
  endif()
endfunction()
