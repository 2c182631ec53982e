# The workload of profile-guided optimisation (Pgo.cmake), a step of the build:
#
#   cmake -DPROGRAM=<the instrumented program> -DPROFILES=<folders where it writes profiles> -DSCRATCH=<folder for results>
#         -P PgoWorkload.cmake
#
# A run that fails or does not end is left out with a warning: a model that is being repaired needs a program, too.

# Traffic with each kind of flow control, switch and card, at low and at high load, and some with fidelity flit.
set(traffic
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
set(packets 4000)
# Programs, on each kind of card.
set(programs
  "qsnet-16 halo --np 16"
  "qsnet-16 cg --np 16"
  "qsnet-16 alltoall --np 16"
  "qsnet-16 collectives --np 16"
  "myrinet-8 halo --np 8"
  "macrame-clos-64 halo --np 16"
  "moc-2-1 halo --np 16"
  "gcel-64 halo --np 16"
  "tofu-36 halo --np 12")
list(TRANSFORM traffic PREPEND "traffic ")
list(TRANSFORM traffic APPEND " --packets ${packets}")
list(TRANSFORM programs PREPEND "run ")
set(timeout_seconds 100)  # each run takes a second or two

# A profile of an older version of a source is an error for the compiler.
foreach(folder ${PROFILES})
  file(GLOB_RECURSE before ${folder}/*.gcda)
  if(before)
    file(REMOVE ${before})
  endif()
endforeach()

foreach(run ${traffic} ${programs})
  separate_arguments(arguments UNIX_COMMAND ${run})
  execute_process(COMMAND ${PROGRAM} ${arguments} --out ${SCRATCH}/results
    TIMEOUT ${timeout_seconds} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(NOT result EQUAL 0)
    string(APPEND failed "  sanvp ${run}: ${result}\n")
  endif()
endforeach()
if(failed)
  message(WARNING "the profile lacks the runs that failed, until ${CMAKE_SCRIPT_MODE_FILE} is touched:\n${failed}")
endif()
