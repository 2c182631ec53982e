/// Faults and repairs after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

void check(const PlannedBranch& branch) {
  const auto& before = branch.before.faults().listed;
  for (const faults::Event& event : branch.machine.faults().listed) {
    if (event.at > branch.at) continue;
    const auto is_known = [&](const faults::Event& other) {
      return other.at == event.at && other.part == event.part && other.down == event.down;
    };
    if (std::none_of(before.begin(), before.end(), is_known))
      throw UserError("--branch", "a fault at " + to_text(event.at) + " is not after --branch-at " + to_text(branch.at),
                      "give a later time");
  }
}

const Registration<Change> registration{
    {.name = "faults",
     .summary = "parts that fail or are repaired later",
     .option = "fault",
     .keys = {"fault.events"},
     .check = check,
     .apply = [](const PlannedBranch& branch, const RunToChange& run) { run.follow(branch.machine.faults()); }}};

}  // namespace
}  // namespace sanvp::commands
