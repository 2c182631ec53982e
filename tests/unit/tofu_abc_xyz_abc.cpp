#include <catch2/catch.hpp>

#include <cstdlib>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/waits_for.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/tofu_abc_xyz_abc.hpp"
#include "topologies/tofu.hpp"
#include "topologies/torus.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;

namespace {

/// The node at abc of a group, as documented: a, then b, then c.
int point(int a, int b, int c) { return (a * 3 + b) * 2 + c; }

std::vector<int> switches_on(const Graph& graph, const Route& route, int source) {
  std::vector<int> visited;
  End at = graph.peer(End::host(source));
  for (const Step& step : route.steps) {
    visited.push_back(at.index);
    at = graph.peer(End::switch_(at.index, step.port));
  }
  return visited;
}

}  // namespace

TEST_CASE("every one of the twelve TOFU routes of a pair arrives") {
  const Graph graph = tofu(3, 2, 1);
  const auto routing = tofu_abc_xyz_abc(graph);
  CHECK(routing->alternatives(0, 71) == 12);
  CHECK(routing->alternatives(5, 5) == 0);
  CHECK_FALSE(routing->random_alternative());
  CHECK(all_arrive(graph, *routing));
}

TEST_CASE("TOFU's first route is a shortest one and starts along xyz from the source's own point") {
  const Graph graph = tofu(4, 1, 1);
  const auto routing = tofu_abc_xyz_abc(graph);
  const int groups = 4;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const int dx = std::abs(source / 12 - destination / 12);
      const int s = source % 12, d = destination % 12;
      const int abc = (s / 6 != d / 6) + (s / 2 % 3 != d / 2 % 3) + (s % 2 != d % 2);  // a ring of 3 is one hop wide
      REQUIRE(hops(*routing, source, destination) == std::min(dx, groups - dx) + abc);
    }
}

TEST_CASE("TOFU goes abc to the point chosen, xyz, and abc to the destination, phases in separate virtual channels") {
  const Graph graph = tofu(4, 4, 4);
  const auto routing = tofu_abc_xyz_abc(graph);
  const int source = point(0, 0, 0);
  const int destination = ((1 * 4 + 2) * 4 + 1) * 12 + point(0, 1, 0);  // group x1 y2 z1
  const int turn = point(1, 2, 1);  // points are counted from the source's own, which is the first
  Route route;
  routing->route(source, destination, turn, route);
  std::vector<int> ports, vcs;
  for (const Step& step : route.steps) {
    CHECK(step.ports == 1);
    ports.push_back(step.port);
    vcs.push_back(step.vc);
  }
  const int x_up = 1, y_up = 3, z_up = 5, a = 7, b_down = 9, c = 10, host = 0;
  CHECK(ports == std::vector<int>{a, b_down, c, x_up, y_up, y_up, z_up, a, b_down, c, host});
  // From b = 0 down to 2 crosses the wrap cable; from 2 down to 1 does not.
  CHECK(vcs == std::vector<int>{0, 1, 0, 0, 0, 0, 0, 2, 2, 2, Step::any_vc});
}

TEST_CASE("the points are taken in order from the source's own, and round") {
  const Graph graph = tofu(2, 1, 1);
  const auto routing = tofu_abc_xyz_abc(graph);
  Route route;
  for (int source = 0; source < 12; ++source)
    for (int turn = 0; turn < 12; ++turn) {
      routing->route(source, 12, turn, route);
      int crossing = -1;  // the last node before the x cable
      for (const int node : switches_on(graph, route, source))
        if (node < 12) crossing = node;
      CHECK(crossing == (source + turn) % 12);
    }
}

TEST_CASE("TOFU with four virtual channels has no cycle of waiting, with one it has") {
  const Graph graph = tofu(5, 2, 1);
  const auto routing = tofu_abc_xyz_abc(graph);
  CHECK(WaitsFor(graph, *routing, 4).acyclic());

  class Folded : public Routing {  // the last phase shares the channels of the first
   public:
    explicit Folded(const Routing& routing) : routing_(routing) {}
    int alternatives(int s, int d) const override { return routing_.alternatives(s, d); }
    void route(int s, int d, int alternative, Route& route) const override {
      routing_.route(s, d, alternative, route);
      for (Step& step : route.steps)
        if (step.vc != Step::any_vc) step.vc %= 2;
    }

   private:
    const Routing& routing_;
  };
  CHECK_FALSE(WaitsFor(graph, Folded(*routing), 4).acyclic());
}

TEST_CASE("TOFU's rings are crossed without a cycle in every direction") {
  const Graph graph = tofu(1, 4, 2);
  CHECK(WaitsFor(graph, *tofu_abc_xyz_abc(graph), 4).acyclic());
}

TEST_CASE("routes detour a faulty TOFU node on their way") {
  const Graph graph = tofu(3, 2, 1);
  const int source = 0, destination = 2 * 12 + 12 + 5;
  const auto sound = tofu_abc_xyz_abc(graph);
  Route route;
  sound->route(source, destination, 0, route);
  const std::vector<int> path = switches_on(graph, route, source);
  REQUIRE(path.size() > 2);
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const auto routing = tofu_abc_xyz_abc(graph, {.faulty_nodes = {path[i]}});
    const int alternatives = routing->alternatives(source, destination);
    CHECK(alternatives >= 1);
    CHECK(alternatives < 12);
    for (int k = 0; k < alternatives; ++k) {
      routing->route(source, destination, k, route);
      CHECK(arrives(graph, route, source, destination));
      for (const int node : switches_on(graph, route, source)) CHECK(node != path[i]);
    }
  }
}

TEST_CASE("with one faulty TOFU node all pairs of other nodes are still served, without deadlock") {
  const Graph graph = tofu(3, 2, 1);
  const int faulty = 17;
  const auto routing = tofu_abc_xyz_abc(graph, {.faulty_nodes = {faulty}});
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const bool end_is_faulty = source == faulty || destination == faulty;
      REQUIRE((routing->alternatives(source, destination) == 0) == end_is_faulty);
    }
  CHECK(WaitsFor(graph, *routing, 4).acyclic());
}

TEST_CASE("the routes left beside a fault are those of the sound machine, in their order") {
  const Graph graph = tofu(3, 1, 1);
  const auto sound = tofu_abc_xyz_abc(graph);
  const int faulty = 12 + 3;
  const auto detoured = tofu_abc_xyz_abc(graph, {.faulty_nodes = {faulty}});
  Route expected, route;
  for (const int destination : {12 + 4, 24 + 7}) {
    int next = 0;
    for (int turn = 0; turn < 12; ++turn) {
      sound->route(1, destination, turn, expected);
      const std::vector<int> path = switches_on(graph, expected, 1);
      if (std::set<int>(path.begin(), path.end()).count(faulty)) continue;
      detoured->route(1, destination, next++, route);
      CHECK(route == expected);
    }
    CHECK(detoured->alternatives(1, destination) == next);
    CHECK_THROWS_AS(detoured->route(1, destination, next, route), UserError);
  }
}

TEST_CASE("TOFU's routing refuses other topologies and unknown faulty nodes") {
  CHECK_THROWS_AS(tofu_abc_xyz_abc(torus({3, 4}, 1, 1)), UserError);
  CHECK_THROWS_AS(tofu_abc_xyz_abc(tofu_flat(3)), UserError);
  const Graph graph = tofu(2, 1, 1);
  CHECK_THROWS_AS(tofu_abc_xyz_abc(graph, {.faulty_nodes = {24}}), UserError);
  CHECK_THROWS_AS(tofu_abc_xyz_abc(graph, {.faulty_nodes = {-1}}), UserError);
  CHECK_THROWS_WITH(tofu_abc_xyz_abc(graph, {.faulty_nodes = {1ll << 32}}), Catch::Contains("0 to 23"));
}

TEST_CASE("TOFU's routing reads its faults from the machine") {
  const Graph graph = tofu(2, 1, 1);
  const auto build = [&](const std::string& text) {
    ParameterSet set = ParameterSet::from_text("[routing]\n" + text, "test.ini");
    auto routing = Registry<RoutingPart>::get("tofu_abc_xyz_abc", "test").build(graph, Parameters(set, "routing"), 1);
    set.require_all_read();
    return routing;
  };
  CHECK(build("")->alternatives(0, 5) == 12);
  CHECK(build("random_via = true")->random_alternative());
  const auto routing = build("faults = 5, 17");
  CHECK(routing->alternatives(0, 5) == 0);
  CHECK(routing->alternatives(17, 0) == 0);
  CHECK(routing->alternatives(0, 12) > 0);
  CHECK_THROWS_WITH(build("faults = 24"), Catch::StartsWith("test.ini:2: there is no node 24"));
  for (const char* text : {"faults = 5,,17", "faults = five", "faults = -1", "faults = 24", "faults = ,"})
    CHECK_THROWS_AS(build(text), UserError);
}
