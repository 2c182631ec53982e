#include "topologies/dragonfly.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <tuple>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/all_served.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/route_table.hpp"

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
  CHECK(checked(graph, "adaptive", 3).passed());
  CHECK_FALSE(checked(graph, "minimal", 1).passed());
  CHECK_FALSE(checked(graph, "valiant", 2).passed());
  CHECK_FALSE(checked(graph, "adaptive", 2).passed());
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

TEST_CASE("an adaptive route of a dragonfly is the minimal path, on higher virtual channels, and then one detour") {
  const Graph graph = net_of_72().graph();
  const auto adaptive = routing_of(graph, "adaptive"), minimal = routing_of(graph, "minimal"),
             valiant = routing_of(graph, "valiant");
  Route both, shortest, detour;
  const int source = 3, destination = 70;
  CHECK(adaptive->random_alternative());
  REQUIRE(adaptive->alternatives(source, destination) == valiant->alternatives(source, destination));
  for (int i = 0; i < adaptive->alternatives(source, destination); ++i) {
    adaptive->route(source, destination, i, both);
    minimal->route(source, destination, 0, shortest);
    valiant->route(source, destination, i, detour);
    REQUIRE(both.has_choice());
    const auto paths = paths_of(both);
    CHECK(paths[1] == detour.steps);
    for (Step& step : shortest.steps)
      if (step.vc != Step::any_vc) ++step.vc;
    CHECK(paths[0] == shortest.steps);
  }
  adaptive->route(0, 7, 0, both);  // within a group
  CHECK_FALSE(both.has_choice());
}

TEST_CASE("check finds the cycle that only the second path of routes closes") {
  // Four switches in a ring, a host each. Every route has a straight first path and a second one round the ring.
  Graph ring;
  for (int i = 0; i < 4; ++i) {
    ring.add_host("host " + std::to_string(i));
    ring.add_switch("switch " + std::to_string(i), 3);
    ring.connect(End::host(i), End::switch_(i, 0));
  }
  for (int i = 0; i < 4; ++i) ring.connect(End::switch_(i, 1), End::switch_((i + 1) % 4, 2));
  RouteTable straight, both;
  for (int source = 0; source < 4; ++source)
    for (int destination = 0; destination < 4; ++destination) {
      if ((source + 1) % 4 != destination && (source + 3) % 4 != destination) continue;
      const bool clockwise = (source + 1) % 4 == destination;
      Route route;
      route.steps = {{.port = static_cast<std::uint16_t>(clockwise ? 1 : 2)}, {.port = 0}};
      straight.append(source, destination, 0, route);
      route.second = 2;
      route.steps.insert(route.steps.end(), 3, {.port = static_cast<std::uint16_t>(clockwise ? 2 : 1)});
      route.steps.push_back({.port = 0});
      both.append(source, destination, 0, route);
    }
  CHECK(check(ring, straight).deadlock_free());
  CHECK_FALSE(check(ring, both).deadlock_free());
  CHECK_FALSE(WaitsFor(ring, both, 1).acyclic());
  CHECK(check(ring, both).routes_broken == 0);
}

TEST_CASE("a route whose paths end at different hosts is broken") {
  Graph pair;
  for (int i = 0; i < 3; ++i) pair.add_host("host " + std::to_string(i));
  pair.add_switch("switch", 3);
  for (int i = 0; i < 3; ++i) pair.connect(End::host(i), End::switch_(0, i));
  RouteTable routes;
  routes.append(0, 1, 0, Route{.steps = {{.port = 1}, {.port = 2}}, .second = 1});
  routes.append(0, 2, 0, Route{.steps = {{.port = 2}, {.port = 2}}, .second = 1});
  const CheckReport report = check(pair, routes, {.groups = {{0, 1, 2}}});
  CHECK(report.routes_broken == 1);
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
    for (const char* paths : {"minimal", "valiant", "adaptive"}) {
      CHECK(checked(graph, paths, 3).passed());
      CHECK(misrouted_pairs(graph, *routing_of(graph, paths)) == 0);
    }
  }
}

TEST_CASE("a dragonfly without any one of its cables or switches serves all hosts that are still joined") {
  require_all_served_without_any_part(Dragonfly(1, 3, 1, 0, "test").graph(), routing_of, 3);
}

TEST_CASE("a dragonfly that cannot be cabled is refused with the sizes that would do") {
  CHECK_THROWS_WITH(Dragonfly(2, 4, 2, 10, "mine.ini:3"),
                    Catch::Contains("mine.ini:3") && Catch::Contains("at most 9"));
  CHECK_THROWS_AS(Dragonfly::of(Graph{}, "routing dragonfly"), UserError);
}
