#include "tests/support/sharing_case.hpp"

#include <array>

#include "tests/support/ds_link_case.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

namespace sanvp::test {
namespace {

/// Some receivers answer late, and some senders give up before that.
void add_abandoned(Case& one, Random& random) {
  one.answer = Time{between(random, 0, 40) * 500};
  for (auto& nic : one.wiring.nics) nic.rules.answers = true;
  const std::int64_t longest_ps = 1 + 2 * one.answer.count() + 200'000;
  for (Shipment& shipment : one.shipments)
    if (shipment.copies == 1 && chance(random, 0.2))
      // At an instant in which nothing else happens: every time of a case is a multiple of 25 ps.
      shipment.abandoned = shipment.time + Time{between(random, 0, static_cast<int>(longest_ps / 25)) * 25 + 7};
}

}  // namespace

const char* name_of(Sharing rule) {
  switch (rule) {
    case Sharing::hold:
      return "hold";
    case Sharing::flit:
      return "flit";
    case Sharing::tokens:
      break;
  }
  return "tokens";
}

void add_uniform(Case& one, Random& random, const topologies::Routing& routing, int hosts, int packets_each, int flits,
                 Time flit_time, double load) {
  for (int source = 0; source < hosts; ++source) {
    double at_ps = 0;
    for (int i = 0; i < packets_each; ++i) {
      at_ps += random.exponential() * flits * static_cast<double>(flit_time.count()) / load;
      Shipment shipment;
      shipment.time = Time{static_cast<std::int64_t>(at_ps)};
      shipment.source = source;
      shipment.destination = (source + between(random, 1, hosts - 1)) % hosts;
      shipment.flits = flits;
      routing.route(source, shipment.destination, 0, shipment.route);
      one.shipments.push_back(std::move(shipment));
    }
  }
}

Case qsnet_like(Random& random, double load, Sharing rule) {
  const topologies::Graph graph = topologies::fat_tree(4, 2);
  net::ChannelRules cable = link_rules(5000, 50'000, net::Credits{.buffer = 128, .return_delay = 50ns});
  cable.virtual_channels = 2;
  cable.hold = rule == Sharing::hold;
  cable.control_hop = 40ns;
  net::NicRules rules;
  rules.slots = 2;
  rules.circuit = true;
  rules.gap = 10ns;
  rules.gap_from = net::NicRules::GapFrom::data_end;
  Case one;
  one.wiring = wire(
      graph,
      {.arbitration = net::arbitration_policy("fifo-then-oldest"), .selection = net::output_selection_policy("least")},
      rules, [&] { return cable; });
  const auto routes = topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive);
  add_uniform(one, random, *routes, graph.host_count(), 30, 189, 5ns, load);
  return one;
}

Case sharing_case(std::uint64_t seed, Sharing rule) {
  Random random{seed, rule == Sharing::hold   ? "sharing, hold"
                      : rule == Sharing::flit ? "sharing, by flit"
                                              : "sharing, tokens"};
  if (rule == Sharing::tokens && chance(random, 0.5)) return ds_link_case(random);
  if (rule != Sharing::tokens && chance(random, 0.1)) {
    static constexpr std::array loads = {0.05, 0.2, 0.4, 0.8, 2.0};
    const double load = loads[random.below(loads.size())];
    Case one = qsnet_like(random, load, rule);
    one.description = "QsNET-like at a load of " + std::to_string(load);
    return one;
  }
  CaseOptions options;
  options.hold = rule == Sharing::hold;
  options.virtual_channels = between(random, 2, 3);
  options.circuits = chance(random, 0.6);
  if (rule == Sharing::tokens) {
    options.tokens = true;
    if (chance(random, 0.5)) options.virtual_channels = 1;
    options.hold = chance(random, 0.2);
    options.circuits = chance(random, 0.2);
  }
  options.failures = chance(random, 0.2);
  options.in_transit = !options.circuits && chance(random, 0.2);
  options.header_changes = chance(random, 0.2);
  options.repeaters = chance(random, 0.2);
  const bool stores = chance(random, 0.1);
  options.store_and_forward = stores && !options.circuits;  // which a wiring refuses together
  const std::uint64_t kind = random.below(3);
  options.broadcasts = kind == 2 && chance(random, 0.6);
  Case one = kind == 0   ? random_case(random, options)
             : kind == 1 ? irregular_case(random, options)
                         : fat_tree_case(random, options);
  for (auto& nic : one.wiring.nics) nic.rules.pool_flits = INT64_MAX;  // small pools may lock each other
  lead_tails(one.wiring, {seed, "tails"});
  if (options.circuits && chance(random, 0.3)) add_abandoned(one, random);
  one.description += ", " + std::to_string(options.virtual_channels) + " virtual channels";
  for (const auto& [is_so, name] :
       {std::pair{options.circuits, ", circuits"}, std::pair{options.broadcasts, ", broadcasts"},
        std::pair{options.in_transit, ", in-transit hosts"}, std::pair{options.header_changes, ", header changes"},
        std::pair{options.repeaters, ", repeaters"}, std::pair{options.store_and_forward, ", store and forward"},
        std::pair{!one.failures.empty(), ", failures"},
        std::pair{one.answer > Time{0} || (!one.wiring.nics.empty() && one.wiring.nics.front().rules.answers),
                  ", NICs that answer"}})
    if (is_so) one.description += name;
  return one;
}

}  // namespace sanvp::test
