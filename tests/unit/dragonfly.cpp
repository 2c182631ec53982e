#include "topologies/dragonfly.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <tuple>

#include "platform/core/error.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/connected.hpp"
#include "topologies/failures.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;

namespace {

Dragonfly net_of_72() { return {2, 4, 2, 0, "test"}; }

std::unique_ptr<Routing> routing_of(const Graph& graph, const std::string& paths) {
  ParameterSet set = ParameterSet::from_text("[routing]\npaths = " + paths + "\n", "test.ini");
  return Registry<RoutingPart>::get("dragonfly", "test").build(graph, Parameters(set, "routing"), 1);
}

CheckReport checked(const Graph& graph, const std::string& paths, int virtual_channels) {
  return check(graph, *routing_of(graph, paths), {.virtual_channels = virtual_channels});
}

}  // namespace

TEST_CASE("a dragonfly of 2 hosts a switch, 4 switches a group and 2 global cables a switch has 72 hosts in 9 groups") {
  const Dragonfly net = net_of_72();
  const Graph graph = net.graph();
  const int groups = 4 * 2 + 1;
  CHECK(net.groups() == groups);
  CHECK(graph.host_count() == 72);
  CHECK(graph.switch_count() == 36);
  const int local = groups * 4 * 3 / 2, global = groups * (groups - 1) / 2;
  CHECK(graph.link_count() == 72 + local + global);
  for (const Graph::Node& at : graph.switches())
    CHECK(std::count(at.link_at.begin(), at.link_at.end(), -1) == 0);  // every port is in use
}

TEST_CASE("every two groups of a dragonfly have the same number of cables, and ports too many for that stay free") {
  const int hosts = 1, switches = 3, global_cables = 3, groups = 5;
  const Dragonfly net(hosts, switches, global_cables, groups, "test");
  const int cables = switches * global_cables / (groups - 1);  // 9 ports for 4 groups: 2, and one port is free
  CHECK(net.cables_between_groups() == cables);
  const Graph graph = net.graph();
  std::vector<std::vector<int>> between(groups, std::vector<int>(groups, 0));
  for (const Link& link : graph.links())
    if (link.a.is_switch() && link.b.is_switch()) ++between[net.group_of(link.a.index)][net.group_of(link.b.index)];
  for (int a = 0; a < groups; ++a)
    for (int b = a + 1; b < groups; ++b) CHECK(between[a][b] + between[b][a] == cables);
}

TEST_CASE("minimal paths of a dragonfly are at most local, global, local") {
  const int p = 2, a = 4, g = 9;
  const CheckReport report = checked(net_of_72().graph(), "minimal", 2);
  CHECK(report.passed());
  // Each pair of groups has one cable, so of the a * a pairs of switches one is at its ends, 2 * (a - 1) have one end.
  const std::int64_t group_pairs = std::int64_t{g} * (g - 1) * p * p;
  const auto& by_links = report.lengths().histogram;
  REQUIRE(by_links.size() == 6);
  CHECK(by_links[2] == g * a * p * (p - 1));
  CHECK(by_links[3] == g * a * (a - 1) * p * p + group_pairs);
  CHECK(by_links[4] == group_pairs * 2 * (a - 1));
  CHECK(by_links[5] == group_pairs * (a - 1) * (a - 1));
}

TEST_CASE("a dragonfly needs two virtual channels for minimal paths and three for detours") {
  const Graph graph = net_of_72().graph();
  CHECK(checked(graph, "valiant", 3).passed());
  CHECK_FALSE(checked(graph, "minimal", 1).passed());
  CHECK_FALSE(checked(graph, "valiant", 2).passed());
}

TEST_CASE("detours of a dragonfly go by way of each other group once") {
  const Graph graph = net_of_72().graph();
  const Dragonfly net = net_of_72();
  const auto routing = routing_of(graph, "valiant");
  const int source = 3, destination = 70;
  std::set<int> between;
  Route route;
  for (int i = 0; i < routing->alternatives(source, destination); ++i) {
    routing->route(source, destination, i, route);
    for (const int channel : route_channels(graph, source, route)) {
      const End at = graph.channel_target(channel);
      if (at.is_switch()) between.insert(net.group_of(at.index));
    }
  }
  CHECK(routing->random_alternative());
  CHECK(routing->alternatives(source, destination) == net.groups() - 2);
  CHECK(between.size() == static_cast<std::size_t>(net.groups()));
  CHECK(routing->alternatives(0, 7) == 1);  // within a group
}

TEST_CASE("dragonflies of many sizes serve all pairs without deadlock") {
  for (const auto& [p, a, h, g] : {std::tuple{1, 1, 3, 0},
                                   {1, 2, 1, 0},
                                   {2, 2, 2, 3},
                                   {1, 4, 2, 2},
                                   {3, 3, 1, 1},
                                   {1, 3, 3, 5},
                                   {2, 4, 3, 6},
                                   {1, 5, 1, 4}}) {
    INFO(p << " hosts, " << a << " switches, " << h << " global cables, " << g << " groups");
    const Graph graph = Dragonfly(p, a, h, g, "test").graph();
    for (const char* paths : {"minimal", "valiant"}) {
      CHECK(checked(graph, paths, 3).passed());
      CHECK(misrouted_pairs(graph, *routing_of(graph, paths)) == 0);
    }
  }
}

TEST_CASE("a dragonfly without any one of its cables or switches serves all hosts that are still joined") {
  const Graph whole = Dragonfly(1, 3, 1, 0, "test").graph();
  const auto all_served = [](const Graph& graph) {
    const std::vector<int> part = connected_parts(graph);
    for (const char* paths : {"minimal", "valiant"}) {
      const auto routing = routing_of(graph, paths);
      CHECK(check(graph, *routing, {.virtual_channels = 3}).deadlock_free());
      for (int source = 0; source < graph.host_count(); ++source)
        for (int destination = 0; destination < graph.host_count(); ++destination) {
          if (source == destination || part[source] != part[destination]) continue;
          INFO(paths << " from " << source << " to " << destination);
          CHECK(routing->alternatives(source, destination) > 0);
        }
    }
  };
  for (int link = 0; link < whole.link_count(); ++link) all_served(working_part(whole, {.links = {link}}));
  for (int at = 0; at < whole.switch_count(); ++at) all_served(working_part(whole, {.switches = {at}}));
}

TEST_CASE("a dragonfly that cannot be cabled is refused with the sizes that would do") {
  CHECK_THROWS_WITH(Dragonfly(2, 4, 2, 10, "mine.ini:3"),
                    Catch::Contains("mine.ini:3") && Catch::Contains("at most 9"));
  CHECK_THROWS_AS(Dragonfly::of(Graph{}, "routing dragonfly"), UserError);
}
