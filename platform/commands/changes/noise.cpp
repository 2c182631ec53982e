/// Daemons on the CPUs of all nodes after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

/// Work that is under way ends as it has been planned.
const Registration<Change> registration{{.name = "noise",
                                         .summary = "which daemons take time of CPUs",
                                         .keys = {"host.noise."},
                                         .apply = [](const PlannedBranch& branch, const RunToChange& run) {
                                           if (run.disturb) run.disturb(branch.machine);
                                         }}};

}  // namespace
}  // namespace sanvp::commands
