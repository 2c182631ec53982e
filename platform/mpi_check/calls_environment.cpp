// Start and end.
#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

template <int provided>
void end_init(Job&, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS) return;
  rank.is_running = true;
  rank.thread_level = provided >= 0 ? rank.value<int>(call[static_cast<std::size_t>(provided)]) : MPI_THREAD_SINGLE;
  rank.main_thread = call.thread;
}

void begin_finalize(Job& job, Rank& rank, Call& call) {
  if (!rank.layout || !rank.is_running) return;
  rank.is_finalizing = true;
  job.check_leaks(rank, call.site);
  if (const auto world = rank.communicator(rank.layout->world)) job.enter_together(rank, call, *world);
}

const Handlers init({"MPI_Init"}, nullptr, end_init<-1>);
const Handlers init_thread({"MPI_Init_thread"}, nullptr, end_init<3>);
const Handlers finalize({"MPI_Finalize"}, begin_finalize,
                        [](Job&, Rank& rank, Call& call) { rank.has_finalized = call.result == MPI_SUCCESS; });

}  // namespace
}  // namespace sanvp::mpi_check
