/// Arbitration, output-selection and channel-selection policies of the switches.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

/// Whether queues are kept up to date is decided when a network is built.
void check(const PlannedBranch& branch) {
  if (branch.machine.wiring().looks_at_queues && !branch.before.wiring().looks_at_queues)
    throw UserError("--branch", "a policy that looks at queues cannot begin during a run: nothing has counted them",
                    "run it from the start, or begin with such a policy");
}

const Registration<Change> registration{
    {.name = "policies",
     .summary = "which waiting header a switch serves first, and which output and channel it gets",
     .keys = {"switch.arbitration", "switch.choice", "switch.vc_choice", "switch.age_threshold", "switch.hosts_last"},
     .check = check,
     .apply = [](const PlannedBranch& branch, const RunToChange& run) {
       run.network.adopt_policies(branch.machine.wiring());
     }}};

}  // namespace
}  // namespace sanvp::commands
