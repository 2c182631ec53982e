/// Rates and delays of links after a branch.
#include "platform/commands/changes/change.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::commands {
namespace {

using net::ChannelRules;

/// Whether packets meet the same buffers, virtual channels and risks.
bool differ_in_times_alone(const ChannelRules& one, const ChannelRules& other) {
  return one.virtual_channels == other.virtual_channels && one.exclusive == other.exclusive && one.hold == other.hold &&
         one.flow.index() == other.flow.index() && buffer_flits(one.flow) == buffer_flits(other.flow) &&
         one.flit_bits == other.flit_bits && one.bit_error_rate == other.bit_error_rate && one.retry == other.retry;
}

void check(const PlannedBranch& branch) {
  const auto& before = branch.before.wiring().channels;
  const auto& after = branch.machine.wiring().channels;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!differ_in_times_alone(before[i].rules, after[i].rules))
      throw UserError("--branch", "errors of links cannot change during a run: nothing has drawn them",
                      "change link.rate, link.delay, link.tail_time, link.whole_flit or link.turnaround");
    if (std::holds_alternative<net::StopGo>(after[i].rules.flow) && after[i].rules.tail_lead != Time{0})
      throw UserError("--branch",
                      "STOP/GO flow control with tails that arrive after their own time cannot begin during a run",
                      "leave link.whole_flit and link.tail_time as they are");
  }
  branch.machine.wiring().validate();
}

const Registration<Change> registration{{.name = "links",
                                         .summary = "times of links, which each takes when it is idle",
                                         .keys = {"link."},
                                         .check = check,
                                         .apply = [](const PlannedBranch& branch, const RunToChange& run) {
                                           run.network.change_links(branch.machine.wiring());
                                           if (run.change_cards) run.change_cards(branch.machine);
                                         }}};

}  // namespace
}  // namespace sanvp::commands
