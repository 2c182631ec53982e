# A trained build (SANVP_TRAIN; GCC). What does the work of millions of packets is compiled twice: first with counters,
# for a sanvp that sends packets through the six machines (Train.cmake); then with what was counted, so that the compiler
# knows which way a branch goes and which calls are worth inlining. Results are the same; a packet-hop takes 6 to 9 %
# fewer instructions (tests/bench/README.md).
option(SANVP_TRAIN "Compile the network twice, the second time with what a trial run has counted (GCC only)" OFF)

# sanvp_train(<target>): the objects of a folder. Call it when all that sanvp consists of is known.
function(sanvp_train target)
  if(NOT SANVP_TRAIN)
    return()
  elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(STATUS "SANVP_TRAIN is for GCC: ${target} is compiled once")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_property(folders GLOBAL PROPERTY SANVP_FOLDERS)
  list(REMOVE_ITEM folders ${target})
  set(place ${CMAKE_BINARY_DIR}/training)

  add_library(${target}_counting OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(${target}_counting PRIVATE -fprofile-generate -fprofile-update=single)
  # ccache might bring an object of another build folder, which would write its counts there.
  set_target_properties(${target}_counting PROPERTIES CXX_COMPILER_LAUNCHER "" EXPORT_COMPILE_COMMANDS OFF)
  target_link_libraries(${target}_counting PUBLIC sanvp_systemc)
  add_executable(sanvp_training EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/platform/main.cpp)
  set_target_properties(sanvp_training PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place} EXPORT_COMPILE_COMMANDS OFF)
  target_link_libraries(sanvp_training PRIVATE ${folders} ${target}_counting sanvp_systemc)
  target_link_options(sanvp_training PRIVATE -fprofile-generate)

  set(script ${CMAKE_SOURCE_DIR}/cmake/Train.cmake)
  set(stamp ${place}/trained.hpp)
  # Not the program but its objects that count: where others have changed, it is linked, but the counts still hold.
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:sanvp_training> -DPLACE=${place}
      -DCOUNTED=${CMAKE_BINARY_DIR}/CMakeFiles/${target}_counting.dir
      -DUSED=${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir -P ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${script} $<TARGET_OBJECTS:${target}_counting>
    COMMENT "Training ${target}: packets through the six machines"
    VERBATIM)
  add_custom_target(${target}_trained DEPENDS ${stamp})
  add_dependencies(${target} ${target}_trained)
  # The stamp is an empty header that all objects include: an order alone would not compile them again when new trials
  # have brought new counts. What no trial has reached is compiled as ever.
  target_compile_options(${target} PRIVATE -include ${stamp} -fprofile-use -fprofile-partial-training -fprofile-correction
    -Wno-missing-profile)
endfunction()
