/// Xpander: a random lift of a complete graph (Valadarsky, Shahaf, Dinitz, Schapira, Xpander: Towards
/// Optimal-Performance Datacenters, CoNEXT 2016, section 3). Its switches are in groups, one more than a switch has
/// cables to others; the switches of any two groups are joined in pairs, drawn by the seed, and those of one group are
/// not joined: cables run in bundles between groups, as in a dragonfly, and the network is nearly as good an expander
/// as a random one.
///
/// Switch group * switches_per_group + number.
#include <numeric>

#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "topologies/connected.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

/// Numbers 0 to `count` - 1 in an order drawn at random (Fisher and Yates).
std::vector<int> drawn_order(int count, Random& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random.below(left)]);
  return order;
}

SwitchGraph lift(int groups, int switches_per_group, Random& random) {
  SwitchGraph graph(groups * switches_per_group);
  for (int one = 0; one < groups; ++one)
    for (int other = one + 1; other < groups; ++other) {
      const std::vector<int> partner = drawn_order(switches_per_group, random);
      for (int i = 0; i < switches_per_group; ++i)
        graph.join(one * switches_per_group + i, other * switches_per_group + partner[i]);
    }
  return graph;
}

const Registration<TopologyPart> registration{
    {"xpander", "groups of switches of which each two groups are joined in random pairs, one network for each seed",
     [](const Parameters& parameters, std::uint64_t seed) {
       const char* source = "Valadarsky et al., CoNEXT 2016, section 3";
       const auto cables = static_cast<int>(
           parameters.count("cables", 7, "cables of a switch to others (d); there are d + 1 groups", source, 2, 1024));
       const auto switches = static_cast<int>(
           parameters.count("switches_per_group", 6, "switches of a group (the lift's k)", source, 1, 8192));
       const auto hosts =
           static_cast<int>(parameters.count("hosts_per_switch", 4, "hosts on each switch", source, 1, 1024));
       Random random(seed, "xpander");
       const std::string place = parameters.place("switches_per_group");
       const auto draw = [&] {
         return lift(cables + 1, switches, random).with_hosts("xpander", hosts, {cables + 1, switches, hosts}, place);
       };
       return first_that_joins_all_hosts(draw, place);
     }}};

}  // namespace
}  // namespace sanvp::topologies
