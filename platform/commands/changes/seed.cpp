/// Another seed for what is drawn after a branch: by switches, bit errors, traffic.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

std::uint64_t seed_of(const PlannedBranch& branch) {
  return static_cast<std::uint64_t>(parse_count(branch.value, "--branch: --seed"));
}

void check(const PlannedBranch& branch) {
  if (parse_count(branch.value, "--branch: --seed") < 0)
    throw UserError("--branch", "--seed " + branch.value + " is negative");
}

void apply(const PlannedBranch& branch, const RunToChange& run) {
  if (run.measurement != nullptr)
    run.measurement->reseed(seed_of(branch));
  else
    run.network.reseed(seed_of(branch));
}

const Registration<Change> registration{{.name = "seed",
                                         .summary = "what traffic, switches and bit errors draw at random from then on",
                                         .option = "seed",
                                         .check = check,
                                         .apply = apply}};

}  // namespace
}  // namespace sanvp::commands
