#include "tests/support/random_topology.hpp"

#include <algorithm>
#include <iterator>

#include "platform/core/parameters.hpp"
#include "topologies/clos.hpp"
#include "topologies/dragonfly.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/hyperx.hpp"
#include "topologies/irregular.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/clos_grouped.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"
#include "topologies/routing/in_transit.hpp"
#include "topologies/routing/up_down.hpp"
#include "topologies/routing/vc_classes.hpp"

namespace sanvp::test {
namespace {

using topologies::End;
using topologies::Graph;

constexpr int lengths[] = {1, 2, 3, 7, 20, 64, 130, 500, 1500, 4096};

/// Random rules on the graph, and packets along the routing.
Case on_graph(Random& random, const CaseOptions& options, const Graph& graph, const topologies::Routing& routing) {
  const auto length_classes = static_cast<std::uint64_t>(between(random, 1, static_cast<int>(std::size(lengths))));
  const int longest = lengths[length_classes - 1];
  Case result;
  const net::SwitchRules switch_rules = random_switch(random, options);
  const net::NicRules nic_rules = random_nic(random, options, longest);
  result.wiring = wire(graph, switch_rules, nic_rules, [&] { return random_channel(random, options, longest); });

  const int hosts = graph.host_count();
  const int packets = between(random, 1, longest > 1000 ? 30 : 150);
  const double spread_ps = 250.0 * longest * packets * (chance(random, 0.5) ? 0.05 : 2 * random.uniform());
  for (int i = 0; i < packets; ++i) {
    const int source = between(random, 0, hosts - 1);
    const int flits = lengths[random.below(length_classes)];
    Shipment one;
    if (options.broadcasts && chance(random, 0.25)) {
      const int low = between(random, 0, hosts - 1);
      one = fat_tree_broadcast(graph, source, low, between(random, low, hosts - 1), flits);
    } else {
      one.source = source;
      one.destination = (source + between(random, 1, hosts - 1)) % hosts;
      one.flits = flits;
      const auto alternatives = static_cast<std::uint64_t>(routing.alternatives(source, one.destination));
      routing.route(source, one.destination, static_cast<int>(random.below(alternatives)), one.route);
    }
    one.time = Time{static_cast<std::int64_t>(spread_ps * random.uniform()) / 125 * 125};
    one.priority = chance(random, 0.1) ? 1 : 0;
    result.shipments.push_back(std::move(one));
  }
  result.description = graph.family + " of " + std::to_string(hosts) + " hosts, " + std::to_string(packets) +
                       " packets up to " + std::to_string(longest) + " flits";
  return result;
}

}  // namespace

net::Wiring wire(const Graph& graph, const net::SwitchRules& switch_rules, const net::NicRules& nic_rules,
                 const std::function<net::ChannelRules()>& make_channel) {
  net::Wiring wiring;
  for (const auto& host : graph.hosts()) wiring.add_nic(host.name, nic_rules);
  for (const auto& unit : graph.switches())
    wiring.add_switch(unit.name, static_cast<int>(unit.link_at.size()), switch_rules);
  const auto terminal = [](const End& end) {
    return net::Terminal{end.is_host() ? net::Terminal::Kind::nic : net::Terminal::Kind::switch_, end.index, end.port};
  };
  for (const auto& link : graph.links()) {
    const net::ChannelRules forward = make_channel();
    wiring.connect(terminal(link.a), terminal(link.b), forward, make_channel());
  }
  return wiring;
}

Shipment fat_tree_broadcast(const Graph& graph, int source, int low, int high, int flits) {
  const auto broadcast = topologies::broadcast_route(topologies::fat_tree_geometry(graph), source, low, high);
  Shipment one;
  one.source = source;
  one.destination = low;
  one.flits = flits;
  one.copies = high - low + 1;
  one.descend = [broadcast](int switch_) {
    const topologies::Step step = broadcast.descend_range(switch_);
    return std::pair<int, int>{step.port, step.ports};
  };
  for (End at = graph.peer(End::host(source)); at.index != broadcast.root;) {
    one.route.steps.push_back(broadcast.step(at.index, at.port));
    at = graph.peer(End::switch_(at.index, one.route.steps.back().port));
  }
  return one;
}

Case irregular_case(Random& random, const CaseOptions& options) {
  const topologies::IrregularSizes sizes{.switches = between(random, 4, 12), .hosts_per_switch = 2, .ports = 6};
  const Graph graph = topologies::irregular(sizes, random.next());
  const auto routes = options.in_transit ? topologies::ud_itb(graph) : topologies::up_down(graph);
  return on_graph(random, options, graph, *routes);
}

Case fat_tree_case(Random& random, const CaseOptions& options) {
  const Graph graph = chance(random, 0.5) ? topologies::fat_tree(2, between(random, 1, 4)) : topologies::fat_tree(4, 2);
  const auto routes = topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive);
  return on_graph(random, options, graph, *routes);
}

Case two_paths_case(Random& random, const CaseOptions& options) {
  const char* const place = "two_paths_case";
  const bool is_dragonfly = chance(random, 0.6);
  const Graph graph = is_dragonfly
                          ? topologies::Dragonfly(between(random, 1, 2), between(random, 2, 3), 1, 0, place).graph()
                      : chance(random, 0.5) ? topologies::HyperX({3, 3}, 1, 1, place).graph()
                                            : topologies::HyperX({4}, 2, 2, place).graph();
  ParameterSet adaptive = ParameterSet::from_text("[routing]\npaths = adaptive\n", place);
  const auto routes = Registry<topologies::RoutingPart>::get(is_dragonfly ? "dragonfly" : "hyperx", place)
                          .build(graph, Parameters(adaptive, "routing"), 1);
  Case one = on_graph(random, options, graph, *routes);
  one.wiring.looks_at_queues = true;
  return one;
}

Case relation_case(Random& random, const CaseOptions& options) {
  struct Kept {
    Graph graph;
    std::unique_ptr<topologies::Routing> routing;
  };
  struct Choice {
    const char* routing;
    const char* topology;
    const char* sizes;
    const char* parameters;
  };
  static constexpr Choice choices[] = {
      {"west_first", "grid", "sizes = 4x4", ""},
      {"north_last", "grid", "sizes = 3x5", ""},
      {"odd_even", "grid", "sizes = 5x4\ncables = 2", ""},
      {"negative_first", "grid", "sizes = 3x3x3", ""},
      {"minimal_adaptive", "grid", "sizes = 4x4\ncables = 1", ""},
      {"minimal_adaptive", "torus", "sizes = 4x5\ncables = 1", ""},
      {"minimal_adaptive", "hyperx", "sizes = 3x3", ""},
      {"minimal_adaptive", "hyperx", "sizes = 3x4", "deroutes = yes"},
      {"dragonfly_adaptive", "dragonfly", "hosts_per_switch = 1", ""},
      {"dragonfly_adaptive", "dragonfly", "hosts_per_switch = 1", "weighs = global\nthreshold = 0"},
      {"ud_adaptive", "irregular", "", ""},
      {"minimal_hops", "irregular", "", ""},
  };
  const char* const place = "relation_case";
  const Choice& choice = choices[random.below(std::size(choices))];
  ParameterSet set = ParameterSet::from_text(
      std::string("[topology]\n") + choice.sizes + "\n[routing]\n" + choice.parameters + "\n", place);
  const auto kept = std::make_shared<Kept>();
  kept->graph =
      Registry<topologies::TopologyPart>::get(choice.topology, place).build(Parameters(set, "topology"), random.next());
  kept->routing = Registry<topologies::RoutingPart>::get(choice.routing, place)
                      .build(kept->graph, Parameters(set, "routing"), {1, options.virtual_channels});
  kept->routing = topologies::with_vc_classes(std::move(kept->routing), options.virtual_channels);
  Case one = on_graph(random, options, kept->graph, *kept->routing);
  one.routing = kept;
  one.description = choice.routing + std::string(" on ") + one.description;
  one.wiring.looks_at_queues = true;
  // A draw of their own, so that cases without them do not change.
  static constexpr const char* vc_choices[] = {"lowest", "round-robin", "emptiest", "by-destination"};
  for (net::Wiring::Switch& unit : one.wiring.switches) {
    unit.rules.vc_selection = net::vc_selection_policy(vc_choices[random.below(std::size(vc_choices))]);
    if (chance(random, 0.3)) unit.rules.selection = net::output_selection_policy("emptiest");
  }
  for (net::Wiring::Nic& unit : one.wiring.nics)
    unit.rules.vc_selection = net::vc_selection_policy(vc_choices[random.below(std::size(vc_choices))]);
  for (net::Wiring::Channel& channel : one.wiring.channels)
    if (channel.from.kind == net::Terminal::Kind::switch_ && channel.to.kind == net::Terminal::Kind::switch_)
      channel.rules.exclusive = kept->routing->relation()->exclusive_vcs();
  return one;
}

Case clos_case(Random& random, const CaseOptions& options) {
  static constexpr int sizes[][2] = {{8, 8}, {16, 8}, {32, 8}, {16, 16}};  // nodes, ports of a switch
  const auto [nodes, radix] = sizes[random.below(std::size(sizes))];
  const Graph graph = topologies::clos(nodes, radix);
  const auto routes = topologies::clos_grouped(graph, {});
  return on_graph(random, options, graph, *routes);
}

}  // namespace sanvp::test
