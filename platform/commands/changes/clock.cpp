/// Another clock of the CPUs after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

/// Time that has been counted keeps its price.
const Registration<Change> registration{{.name = "clock",
                                         .summary = "how long instructions take on the CPUs",
                                         .keys = {"host.cpu.clock", "host.cpu.library"},
                                         .apply = [](const PlannedBranch& branch, const RunToChange& run) {
                                           if (run.reprice) run.reprice(branch.machine);
                                         }}};

}  // namespace
}  // namespace sanvp::commands
