#include "tests/support/ds_link_case.hpp"

#include <array>

#include "tests/support/random_topology.hpp"
#include "tests/support/sharing_case.hpp"
#include "topologies/clos.hpp"
#include "topologies/grid.hpp"
#include "topologies/irregular.hpp"
#include "topologies/routing/clos_grouped.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/up_down.hpp"

namespace sanvp::test {
namespace {

template <class Array>
auto one_of(Random& random, const Array& values) {
  return values[random.below(values.size())];
}

struct Times {
  Time token = 100ns, end_token = 40ns, wire = 5ns, crossbar = 30ns, crossbar_delay = 740ns, routing = 160ns,
       gap = 650ns;
};

net::ChannelRules cable(const Times& times, const net::Credits& credits) {
  net::ChannelRules rules;
  rules.flit_time = times.token;
  rules.tail_time = times.end_token;
  rules.delay = times.wire + times.token;
  rules.tail_lead = times.token - times.end_token;
  rules.wire = times.wire;
  rules.flow = credits;
  return rules;
}

/// What a switch sends on a cable comes from a buffer behind its crossbar (platform/machine/wire.cpp).
void add_output_buffers(net::Wiring& wiring, const Times& times, int slots) {
  const int cables = static_cast<int>(wiring.channels.size());
  for (int c = 0; c < cables; ++c) {
    const net::Terminal from = wiring.channels[c].from;
    if (from.kind != net::Terminal::Kind::switch_) continue;
    const int buffer = wiring.add_switch(wiring.channels[c].name + " output", 1, {});
    wiring.switches[buffer].repeater = true;
    wiring.channels[c].from = {net::Terminal::Kind::switch_, buffer, 0};
    wiring.switches[buffer].out[0] = c;
    net::ChannelRules crossbar;
    crossbar.flit_time = crossbar.tail_time = times.crossbar;
    crossbar.delay = times.crossbar_delay;
    crossbar.flow = net::Credits{.buffer = slots};
    wiring.add_channel(from, {net::Terminal::Kind::switch_, buffer, 0}, crossbar);
  }
}

}  // namespace

Case ds_link_case(Random& random) {
  Times times;
  net::Credits credits{.buffer = 32, .batch = 8, .token_time = 40ns};
  int behind = 38;
  if (chance(random, 0.5)) {
    times = {.token = Time{between(random, 2, 20) * 5000},
             .wire = Time{between(random, 0, 10) * 5000},
             .crossbar = Time{between(random, 1, 10) * 5000},
             .crossbar_delay = Time{between(random, 1, 100) * 10'000},
             .routing = Time{between(random, 0, 20) * 10'000},
             .gap = Time{between(random, 0, 80) * 10'000}};
    times.end_token = Time{times.token.count() * between(random, 1, 5) / 5};
    credits.batch = between(random, 1, 8);
    credits.buffer = credits.batch * between(random, 1, 6) + between(random, 0, 5);
    credits.token_time = Time{between(random, 1, 10) * 10'000};
    credits.return_delay = Time{between(random, 0, 3) * 5000};
    behind = between(random, 0, 40);
  }
  const int kind = between(random, 0, 3);
  const auto graph = kind == 0   ? topologies::clos(16, 8)
                     : kind == 1 ? topologies::clos(8, 8)
                     : kind == 2
                         ? topologies::grid({between(random, 1, 3), between(random, 2, 3)}, between(random, 1, 4),
                                            between(random, 1, 2))
                         : topologies::irregular({.switches = between(random, 2, 8), .hosts_per_switch = 2, .ports = 6},
                                                 random.next());
  const auto routes = kind < 2    ? topologies::clos_grouped(graph, {})
                      : kind == 2 ? topologies::dimension_order(graph)
                                  : topologies::up_down(graph);
  net::SwitchRules rules{.routing = times.routing, .selection = net::output_selection_policy("round-robin")};
  net::NicRules nic_rules;
  nic_rules.gap = times.gap;
  static constexpr std::array lengths{2, 5, 11, 20, 35, 67, 131, 300};
  static constexpr std::array loads{0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 2.0};
  const int flits = one_of(random, lengths);
  const double load = one_of(random, loads);
  Case one;
  one.wiring = wire(graph, rules, nic_rules, [&] { return cable(times, credits); });
  if (behind > 0) add_output_buffers(one.wiring, times, behind);
  add_uniform(one, random, *routes, graph.host_count(), between(random, 1, 12), flits, times.token, load);
  // Half of the packets come at multiples of 5 ns, as do all times of the links: then much falls on one instant.
  if (chance(random, 0.5))
    for (Shipment& shipment : one.shipments) shipment.time = Time{shipment.time.count() / 5000 * 5000};
  one.description = graph.family + " of " + std::to_string(graph.host_count()) + " hosts with DS links, " +
                    std::to_string(flits) + " tokens, load " + std::to_string(load);
  return one;
}

}  // namespace sanvp::test
