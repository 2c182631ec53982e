/// Algorithms of collective operations after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

/// They count for the operations of a communicator that no rank has begun at the branch.
const Registration<Change> registration{
    {.name = "algorithms",
     .summary = "how collective operations are done that no rank has begun",
     .keys = {"mpi.barrier", "mpi.bcast", "mpi.gather", "mpi.scatter", "mpi.allgather", "mpi.alltoall", "mpi.reduce",
              "mpi.allreduce", "mpi.reduce_scatter", "mpi.scan"},
     .apply = [](const PlannedBranch& branch, const RunToChange& run) {
       if (run.choose_algorithms) run.choose_algorithms(branch.software);
     }}};

}  // namespace
}  // namespace sanvp::commands
