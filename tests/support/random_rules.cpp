#include "tests/support/random_rules.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sanvp::test {
namespace {

// Cases are known by their seeds, so a new policy is not among these by itself.
constexpr std::array arbitrations{"round-robin", "demand-slotted", "fifo", "oldest", "fifo-then-oldest"};
constexpr std::array selections{"first", "least", "round-robin", "random", "random-fixed", "idle-fixed", "idle-random"};
constexpr int header_room = 32;  // flits: what header changes and an EOP may add to a packet

}  // namespace

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

bool chance(Random& random, double probability) { return random.uniform() < probability; }

net::ChannelRules random_channel(Random& random, const CaseOptions& options, int longest_packet) {
  net::ChannelRules rules;
  const int flit_ps = between(random, 1, 4) * 250;
  rules.flit_time = Time{flit_ps};
  rules.tail_time = chance(random, 0.3) ? Time{std::max(1, flit_ps * 2 / 5)} : rules.flit_time;
  rules.delay = Time{flit_ps + between(random, 0, 12) * 125};
  rules.wire = Time{between(random, 0, 8) * 125};
  rules.control_hop = Time{between(random, 1, 40) * 125};
  rules.virtual_channels = options.virtual_channels;
  rules.hold = options.hold;
  if (options.stop_go) {
    net::StopGo flow;
    flow.signal_delay = Time{between(random, 0, 10) * 125};
    flow.stop = between(random, 1, 60);
    flow.go = between(random, 1, flow.stop);
    const auto on_the_way = (rules.delay + flow.signal_delay - Time{1}) / rules.flit_time;
    flow.buffer = flow.stop + 1 + static_cast<int>(on_the_way) + between(random, 0, 3);
    rules.flow = flow;
  } else {
    net::Credits flow;
    static constexpr int sizes[] = {1, 2, 3, 4, 5, 8, 13, 16, 32, 64, 100, 128, 256};
    flow.buffer = sizes[random.below(std::size(sizes))];
    flow.batch = chance(random, 0.5) ? 1 : between(random, 1, std::min(flow.buffer, 8));
    flow.return_delay = Time{between(random, 0, 10) * 125};
    if (options.tokens) flow.token_time = Time{flit_ps * 2 / 5};
    if (options.header_changes) flow.buffer = std::max(flow.buffer, flow.batch + 1);  // net::assured_flits
    if (options.store_and_forward) flow.buffer = std::max(flow.buffer, longest_packet + header_room + flow.batch);
    rules.flow = flow;
  }
  return rules;
}

net::SwitchRules random_switch(Random& random, const CaseOptions& options) {
  net::SwitchRules rules;
  rules.routing = Time{between(random, 0, 6) * 125};
  rules.setup = Time{between(random, 0, 6) * 125};
  rules.arbitration = net::arbitration_policy(arbitrations[random.below(arbitrations.size())]);
  rules.age_threshold = Time{between(random, 0, 200) * 1000};
  rules.selection = net::output_selection_policy(selections[random.below(selections.size())]);
  rules.store_and_forward = options.store_and_forward;
  rules.software_router = options.store_and_forward && chance(random, 0.5);
  rules.hosts_last = chance(random, 0.25);
  return rules;
}

net::NicRules random_nic(Random& random, const CaseOptions& options, int longest) {
  net::NicRules nic;
  nic.slots = between(random, 1, std::max(1, options.virtual_channels));
  nic.gap = Time{between(random, 0, 20) * 125 * between(random, 0, 1)};
  nic.gap_from = static_cast<net::NicRules::GapFrom>(random.below(3));
  nic.circuit = options.circuits;
  nic.acknowledge = Time{between(random, 0, 20) * 125};
  nic.detect = Time{between(random, 0, 50) * 125};
  nic.reprogram = Time{between(random, 0, 50) * 125};
  if (options.in_transit && chance(random, 0.3)) nic.pool_flits = longest * between(random, 1, 3);
  return nic;
}

void lead_tails(net::Wiring& wiring, Random random) {
  for (auto& channel : wiring.channels) {
    net::ChannelRules& rules = channel.rules;
    if (std::holds_alternative<net::Credits>(rules.flow) && chance(random, 0.5))
      rules.tail_lead = rules.flit_time - rules.tail_time;
  }
}

void make_links_retry(net::Wiring& wiring, Random random) {
  for (auto& channel : wiring.channels) {
    net::ChannelRules& rules = channel.rules;
    if (chance(random, 0.3)) continue;
    static constexpr double rates[] = {1e-7, 1e-6, 1e-5, 1e-4};
    rules.bit_error_rate = rates[random.below(std::size(rates))] * (1 + random.uniform());
    rules.retry = true;
    rules.turnaround = Time{between(random, 0, 40) * 125};
  }
}

void make_switches_mark(net::Wiring& wiring, Random random) {
  wiring.looks_at_queues = true;
  constexpr double share = 0.8;
  for (net::Wiring::Switch& unit : wiring.switches)
    if (chance(random, share))
      unit.rules.marking = {.threshold = between(random, 1, 60), .victims = chance(random, 0.3)};
}

}  // namespace sanvp::test
