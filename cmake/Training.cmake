# A trained build (SANVP_TRAIN; GCC). What does the work of millions of packets is compiled twice: first with counters,
# for a sanvp that sends packets through the six machines; then with what was counted, so that the compiler knows which
# way a branch goes and which calls are worth inlining. Results are the same, packets cost 10 to 15 % less
# (tests/bench/README.md).
option(SANVP_TRAIN "Compile the network twice, the second time with what a trial run has counted (GCC only)" OFF)

# Packets of the trial: all kinds of flow control, switches and cards, with free ways and with crowded ones, and some
# flit by flit.
set(trials
  "qsnet-64 uniform --bytes 320 --load 0.4"
  "qsnet-64 complement --bytes 64 --load 0.7"
  "myrinet-32 uniform --bytes 512 --load 0.05 -s nic.routing=ud_itb"
  "macrame-clos-64 uniform --bytes 64 --load 0.5"
  "moc-3-1 uniform --bytes 64 --load 0.3"
  "gcel-64 uniform --bytes 64 --load 0.01"
  "tofu-36 uniform --bytes 256 --load 0.3"
  "qsnet-16 uniform --bytes 64 --load 0.3 --fidelity flit"
  "myrinet-8 uniform --bytes 64 --load 0.05 --fidelity flit")
set(trial_packets 4000)

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

  add_library(${target}_counting OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(${target}_counting PRIVATE -fprofile-generate -fprofile-update=single)
  # ccache might bring an object of another build folder, which would write its counts there.
  set_target_properties(${target}_counting PROPERTIES CXX_COMPILER_LAUNCHER "" EXPORT_COMPILE_COMMANDS OFF)
  target_link_libraries(${target}_counting PUBLIC sanvp_systemc)
  add_executable(sanvp_training EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/platform/main.cpp)
  target_link_libraries(sanvp_training PRIVATE ${folders} ${target}_counting sanvp_systemc)
  target_link_options(sanvp_training PRIVATE -fprofile-generate)

  # The compiler looks for the counts of an object beside it, so they are taken from one target to the other.
  set(counts)
  set(take_over)
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    set(counted ${CMAKE_BINARY_DIR}/CMakeFiles/${target}_counting.dir/${name}.gcda)
    set(used ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/${name}.gcda)
    list(APPEND counts ${counted})
    list(APPEND take_over COMMAND ${CMAKE_COMMAND} -E copy ${counted} ${used})
  endforeach()
  set(run)
  foreach(trial ${trials})
    separate_arguments(arguments UNIX_COMMAND ${trial})
    list(APPEND run COMMAND sanvp_training traffic ${arguments} --packets ${trial_packets} --out training > training.log)
  endforeach()
  set(stamp ${CMAKE_BINARY_DIR}/training.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${counts}
    ${run}
    ${take_over}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS sanvp_training
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMENT "Training ${target}: packets through the six machines"
    VERBATIM)
  add_custom_target(${target}_trained DEPENDS ${stamp})
  add_dependencies(${target} ${target}_trained)
  # What no trial has reached is compiled as ever. Counts are not kept for a file that has changed: it is counted anew.
  target_compile_options(${target} PRIVATE -fprofile-use -fprofile-partial-training -fprofile-correction
    -Wno-missing-profile)
endfunction()
