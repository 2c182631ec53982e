/// Algorithms of collective operations after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"
#include "platform/jobs/setting_values.hpp"
#include "platform/jobs/told_settings.hpp"

namespace sanvp::commands {
namespace {

const std::vector<std::string> keys{"mpi.barrier",        "mpi.bcast",    "mpi.gather", "mpi.scatter",
                                    "mpi.allgather",      "mpi.alltoall", "mpi.reduce", "mpi.allreduce",
                                    "mpi.reduce_scatter", "mpi.scan"};

/// The library refuses a wrong value, too: but not before the branch.
void check(const PlannedBranch& branch) {
  const ParameterSet told = jobs::told_settings();
  for (const std::string& key : keys) {
    const auto* const given = branch.software.find(key);
    const auto declared = told.declared().find(key);
    if (given != nullptr && declared != told.declared().end())
      jobs::require_value(declared->second, given->text, "--branch: " + given->place);
  }
}

/// They count for the operations of a communicator that no rank has begun at the branch.
const Registration<Change> registration{{.name = "algorithms",
                                         .summary = "how collective operations are done that no rank has begun",
                                         .keys = keys,
                                         .check = check,
                                         .apply = [](const PlannedBranch& branch, const RunToChange& run) {
                                           if (run.choose_algorithms) run.choose_algorithms(branch.software);
                                         }}};

}  // namespace
}  // namespace sanvp::commands
