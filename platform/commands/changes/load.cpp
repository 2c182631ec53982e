/// Another load of `sanvp traffic` after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

traffic::Load load_of(const PlannedBranch& branch) { return traffic::Load::parse(branch.value, "--branch: --load"); }

const Registration<Change> registration{
    {.name = "load",
     .summary = "what each node offers from then on",
     .option = "load",
     .is_for_traffic = true,
     .check = [](const PlannedBranch& branch) { load_of(branch); },
     .apply = [](const PlannedBranch& branch,
                 const RunToChange& run) { run.measurement->change_load(load_of(branch)); }}};

}  // namespace
}  // namespace sanvp::commands
