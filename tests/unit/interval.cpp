#include "topologies/routing/interval.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "tests/unit/tree_walk.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

/// Two switches with two hosts each, joined by two cables: ports 0 and 1 to hosts, 2 and 3 to the other switch.
Graph two_switches() {
  Graph graph;
  for (int host = 0; host < 4; ++host) graph.add_host("host " + std::to_string(host));
  for (const char* name : {"left", "right"}) graph.add_switch(name, 5);
  for (int host = 0; host < 4; ++host) graph.connect(End::host(host), End::switch_(host / 2, host % 2));
  for (int port : {2, 3}) graph.connect(End::switch_(0, port), End::switch_(1, port));
  return graph;
}

IntervalLabelling good_labelling() {
  IntervalLabelling labelling;
  labelling.labels = {10, 11, 20, 21};
  labelling.tables.resize(2);
  labelling.tables[0].add({10, 11, 0, 1, 2});
  labelling.tables[0].add({11, 12, 1, 1, 2});
  labelling.tables[0].add({20, 22, 2, 2});
  labelling.tables[1].add({10, 12, 2, 2});
  labelling.tables[1].add({20, 21, 0});
  labelling.tables[1].add({21, 22, 1});
  return labelling;
}

}  // namespace

TEST_CASE("a label is found in the interval that begins at or before it and ends after it") {
  IntervalTable table;
  table.add({4, 8, 0});
  table.add({8, 9, 1});
  table.add({12, 20, 2, 3});
  const auto port = [&](int label) { return table.find(label) ? table.find(label)->port : -1; };
  CHECK(port(3) == -1);
  CHECK(port(4) == 0);
  CHECK(port(7) == 0);
  CHECK(port(8) == 1);
  CHECK(port(9) == -1);  // between intervals: not served
  CHECK(port(11) == -1);
  CHECK(port(12) == 2);
  CHECK(port(19) == 2);
  CHECK(port(20) == -1);
  CHECK(IntervalTable{}.find(0) == nullptr);
}

TEST_CASE("adjacent intervals with one output become one, and empty ones are left out") {
  IntervalTable table;
  table.add({0, 2, 5, 2});
  table.add({2, 2, 9});
  table.add({2, 6, 5, 2});
  table.add({6, 7, 5, 1});
  table.add({8, 9, 5, 1});
  table.add({9, 10, 5, 1, 1});
  CHECK(table.intervals() == std::vector<Interval>{{0, 6, 5, 2}, {6, 7, 5, 1}, {8, 9, 5, 1}, {9, 10, 5, 1, 1}});
}

TEST_CASE("reversed, overlapping and portless intervals are refused") {
  IntervalTable table;
  table.add({4, 8, 0});
  CHECK_THROWS_WITH(table.add({9, 8, 0}), Contains("reversed"));
  CHECK_THROWS_WITH(table.add({7, 9, 0}), Contains("[7, 9)") && Contains("ends at 8"));
  CHECK_THROWS_WITH(table.add({0, 1, 0}), Contains("overlaps"));
  CHECK_THROWS_WITH(table.add({8, 9, -1}), Contains("no port"));
  CHECK_THROWS_WITH(table.add({8, 9, 0, 0}), Contains("no port"));
  CHECK(table.intervals().size() == 1);
}

TEST_CASE("the walk of the tables gives each switch's interval as a step") {
  const Graph graph = two_switches();
  const auto routing = interval_routing(graph, good_labelling());
  CHECK(misrouted_pairs(graph, *routing) == 0);
  Route route;
  routing->route(2, 1, 0, route);
  REQUIRE(route.steps.size() == 2);
  CHECK(route.steps[0].port == 2);
  CHECK(route.steps[0].ports == 2);
  CHECK(route.steps[0].strip == 0);
  CHECK(route.steps[1].port == 1);
  CHECK(route.steps[1].ports == 1);
  CHECK(route.steps[1].strip == 2);
}

TEST_CASE("a pair whose walk finds no interval, the wrong host or a loop has no route") {
  const Graph graph = two_switches();
  IntervalLabelling labelling = good_labelling();
  labelling.tables[1] = IntervalTable{};
  labelling.tables[1].add({10, 12, 2, 2});
  labelling.tables[1].add({20, 21, 2});  // back to the left switch: a loop
  labelling.tables[1].add({21, 22, 0});  // host 2 instead of 3
  const auto routing = interval_routing(graph, labelling);
  CHECK(routing->alternatives(0, 1) == 1);
  CHECK(routing->alternatives(2, 0) == 1);
  CHECK(routing->alternatives(0, 2) == 0);
  CHECK(routing->alternatives(0, 3) == 0);
  CHECK(routing->alternatives(1, 1) == 0);
  labelling.tables[0] = IntervalTable{};
  CHECK(interval_routing(graph, labelling)->alternatives(0, 1) == 0);
}

TEST_CASE("a labelling that does not fit its graph is refused") {
  const Graph graph = two_switches();
  IntervalLabelling labelling = good_labelling();
  labelling.labels.pop_back();
  CHECK_THROWS_WITH(interval_routing(graph, labelling), Contains("3 labels for 4 hosts"));
  labelling = good_labelling();
  labelling.tables.emplace_back();
  CHECK_THROWS_WITH(interval_routing(graph, labelling), Contains("3 tables for 2 switches"));
  labelling = good_labelling();
  labelling.tables[0].add({30, 31, 4});
  CHECK_THROWS_WITH(interval_routing(graph, labelling), Contains("left port 4") && Contains("nothing is plugged in"));
  labelling = good_labelling();
  labelling.tables[0].add({30, 31, 3, 1 << 30});
  CHECK_THROWS_AS(interval_routing(graph, labelling), UserError);
}
