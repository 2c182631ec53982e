#include "topologies/hyperx.hpp"

#include <catch2/catch.hpp>

#include <tuple>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/all_served.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;

namespace {

std::unique_ptr<Routing> routing_of(const Graph& graph, const std::string& paths) {
  ParameterSet set = ParameterSet::from_text("[routing]\npaths = " + paths + "\n", "test.ini");
  return Registry<RoutingPart>::get("hyperx", "test").build(graph, Parameters(set, "routing"), 1);
}

CheckReport checked(const Graph& graph, const std::string& paths, int virtual_channels) {
  return check(graph, *routing_of(graph, paths), {.virtual_channels = virtual_channels});
}

}  // namespace

TEST_CASE("each switch of a HyperX has cables to all others of its rows") {
  const int hosts = 2, cables = 3;
  const Graph graph = HyperX({3, 4}, hosts, cables, "test").graph();
  CHECK(graph.host_count() == 3 * 4 * hosts);
  const int along_first = 4 * 3 * 2 / 2, along_second = 3 * 4 * 3 / 2;  // rows times pairs of a row
  CHECK(graph.link_count() == graph.host_count() + cables * (along_first + along_second));
  for (const Graph::Node& at : graph.switches()) {
    CHECK(at.link_at.size() == hosts + cables * (2 + 3));
    CHECK(std::count(at.link_at.begin(), at.link_at.end(), -1) == 0);
  }
}

TEST_CASE("a minimal path of a HyperX has a hop for each axis in which its ends differ, over any of the cables") {
  const Graph graph = HyperX({3, 4}, 2, 3, "test").graph();
  const auto routing = routing_of(graph, "minimal");
  Route route;
  routing->route(0, 2 * (2 * 4 + 1) + 1, 0, route);  // from point (0, 0) to (2, 1)
  REQUIRE(route.steps.size() == 3);
  CHECK(route.steps[0].port == 2 + 3 * 1);  // behind two hosts and the cables to point 1
  CHECK(route.steps[0].ports == 3);
  CHECK(route.steps[1].port == 2 + 3 * 2);
  CHECK(route.steps[2].port == 1);
}

TEST_CASE("a hypercube's minimal paths have the lengths that binomials say") {
  const int axes = 4;
  const CheckReport report = checked(HyperX(std::vector<int>(axes, 2), 1, 1, "test").graph(), "minimal", 1);
  CHECK(report.passed());
  const int binomials[] = {1, 4, 6, 4, 1};
  for (int distance = 1; distance <= axes; ++distance)
    CHECK(report.lengths().histogram[2 + distance] == 16 * binomials[distance]);
}

TEST_CASE("detours of a HyperX need two virtual channels, and its minimal paths one") {
  const Graph graph = HyperX({3, 3}, 1, 1, "test").graph();
  CHECK(checked(graph, "minimal", 1).passed());
  CHECK(checked(graph, "valiant", 2).passed());
  CHECK_FALSE(checked(graph, "valiant", 1).passed());
  CHECK(checked(graph, "adaptive", 2).passed());
  CHECK_FALSE(checked(graph, "adaptive", 1).passed());
  CHECK(routing_of(graph, "valiant")->alternatives(0, 8) == 9 - 2);
}

TEST_CASE("HyperX networks of many sizes serve all pairs without deadlock") {
  for (const auto& [sizes, hosts, cables] :
       {std::tuple{std::vector{1}, 3, 1}, {{5}, 2, 1}, {{2, 2, 2}, 1, 2}, {{4, 3}, 2, 1}, {{1, 4}, 1, 2}}) {
    const Graph graph = HyperX(sizes, hosts, cables, "test").graph();
    for (const char* paths : {"minimal", "valiant", "adaptive"}) {
      CHECK(checked(graph, paths, 2).passed());
      CHECK(misrouted_pairs(graph, *routing_of(graph, paths)) == 0);
    }
  }
}

TEST_CASE("a HyperX without any one of its cables or switches serves all hosts that are still joined") {
  require_all_served_without_any_part(HyperX({3, 3}, 1, 1, "test").graph(), routing_of, 2);
}

TEST_CASE("a HyperX whose switches would have too many ports is refused") {
  CHECK_THROWS_AS(HyperX({2000}, 1, 1, "mine.ini:3"), UserError);
  CHECK_THROWS_AS(HyperX::of(Graph{}, "routing hyperx"), UserError);
}
