# The trial of a trained build (Training.cmake), a step of the build:
#
#   cmake -DPROGRAM=<the one that counts> -DCOUNTED=<folder of its objects> -DUSED=<folder of those that are to know>
#         -DPLACE=<where results may be left> -P Train.cmake
#
# A trial that fails or does not end is left out with a warning: whoever mends the network needs a program, too.

# Packets of all kinds of flow control, switches and cards, with free ways and with crowded ones, some flit by flit, and
# few at a time.
set(trials
  "qsnet-64 uniform --bytes 320 --load 0.4"
  "qsnet-64 complement --bytes 64 --load 0.7"
  "qsnet-1024 uniform --bytes 64 --load 0.3"
  "myrinet-32 uniform --bytes 512 --load 0.05 -s nic.routing=ud_itb"
  "macrame-clos-64 uniform --bytes 64 --load 0.5"
  "moc-3-1 uniform --bytes 64 --load 0.3"
  "gcel-64 uniform --bytes 64 --load 0.01"
  "tofu-36 uniform --bytes 256 --load 0.3"
  "qsnet-16 uniform --bytes 64 --load 0.3 --fidelity flit"
  "myrinet-8 uniform --bytes 64 --load 0.05 --fidelity flit"
  "qsnet-16 uniform --bytes 320 --load 0.01 -s topology.levels=1")
set(trial_packets 4000)
set(patience_seconds 100)  # each takes about a second

# Counts of another text of a source would be an error of the compiler's.
file(GLOB_RECURSE before ${COUNTED}/*.gcda ${USED}/*.gcda)
if(before)
  file(REMOVE ${before})
endif()

foreach(trial ${trials})
  separate_arguments(arguments UNIX_COMMAND ${trial})
  execute_process(COMMAND ${PROGRAM} traffic ${arguments} --packets ${trial_packets} --out ${PLACE}/results
    TIMEOUT ${patience_seconds} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(NOT result EQUAL 0)
    string(APPEND failed "  sanvp traffic ${trial} --packets ${trial_packets}: ${result}\n")
  endif()
endforeach()
if(failed)
  message(WARNING "training goes on without what failed:\n${failed}")
endif()

# The compiler looks for the counts of an object beside it. A source without functions has none.
file(COPY ${COUNTED}/ DESTINATION ${USED} FILES_MATCHING PATTERN *.gcda)
