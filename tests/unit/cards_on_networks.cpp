/// What cards can say of a network before a run: tables that a driver will load, routes that records can hold, one path
/// where packets must stay in order.
#include <catch2/catch.hpp>

#include "models/nic/lanai/map_file.hpp"
#include "models/nic/stc104/driver_tables.hpp"
#include "models/nic/tofu/one_path.hpp"
#include "platform/core/error.hpp"
#include "tests/unit/network_support.hpp"
#include "topologies/clos.hpp"
#include "topologies/failures.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/grid.hpp"
#include "topologies/routing/clos_grouped.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

using namespace sanvp;
using namespace sanvp::test;
using nic::stc104::why_tables_differ;

TEST_CASE("driver tables: those of a Clos are its routing's, however packets go up") {
  const Graph graph = clos(128);
  for (const ClosUp up : {ClosUp::adaptive, ClosUp::fixed, ClosUp::universal}) {
    const auto routing = clos_grouped(graph, {.up = up});
    CHECK(why_tables_differ({graph, graph, *routing}).empty());
  }
}

TEST_CASE("driver tables: they pass over a failed cable beside another, and go around a failed centre") {
  const Graph graph = clos(64);
  const Failures one_of_a_group{.links = {70}};
  const Failures a_centre{.switches = {4}};
  for (const Failures& failures : {one_of_a_group, a_centre}) {
    const Graph working = working_part(graph, failures);
    const auto routing = clos_grouped(working, {});
    CHECK(why_tables_differ({graph, working, *routing}).empty());
  }
}

TEST_CASE("driver tables: on a grid they are yx's and not xy's") {
  const Graph graph = grid({2, 2}, 4, 1);
  const auto own = dimension_order(graph, {.order = "yx"});
  const auto other = dimension_order(graph, {.order = "xy"});
  CHECK(why_tables_differ({graph, graph, *own}).empty());
  // Host 0 is on switch 0, host 12 the first of the opposite corner.
  CHECK(why_tables_differ({graph, graph, *other}) ==
        "the tables that node 0 loads lead from node 0 to node 12 another way than [routing], for which the proof was "
        "made");
}

TEST_CASE("driver tables: hosts that alternate between two switches need an interval each, and a table has 36") {
  const auto alternating = [](int hosts) {
    Graph graph;
    graph.add_switch("left", 32);
    graph.add_switch("right", 32);
    graph.connect(End::switch_(0, 31), End::switch_(1, 31));
    for (int host = 0; host < hosts; ++host) {
      graph.add_host("h" + std::to_string(host));
      graph.connect(End::host(host), End::switch_(host % 2, host / 2));
    }
    return graph;
  };
  const auto routes = [](const Graph& graph) {
    ListedRouting routing;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination) {
        if (source % 2 == destination % 2)
          routing.add(source, destination, {to(destination / 2)});
        else
          routing.add(source, destination, {to(31), to(destination / 2)});
      }
    return routing;
  };
  const Graph fits = alternating(36);
  CHECK(why_tables_differ({fits, fits, routes(fits)}).empty());
  const Graph too_many = alternating(38);
  CHECK(why_tables_differ({too_many, too_many, routes(too_many)}) ==
        "the table of left needs more than the 36 intervals of an STC104");
}

TEST_CASE("driver tables: a switch with more links than an STC104 has none") {
  Graph graph;
  graph.add_switch("wide", 33);
  const ListedRouting routing;
  CHECK(why_tables_differ({graph, graph, routing}) == "switch wide has 33 links, and an STC104 has 32");
}

TEST_CASE("lanai: a map file holds no route that changes virtual channels") {
  const Graph graph = row(3, false);
  ListedRouting routing;
  routing.add(0, 2, {to(2), to(2), to(0)});
  CHECK_NOTHROW(nic::lanai::map_file({graph, graph, routing}, 0));
  routing.add(0, 1, {on_vc(2, 1), to(0)});
  CHECK_THROWS_WITH(nic::lanai::map_file({graph, graph, routing}, 0),
                    Catch::Contains("the route from host 0 to host 1 changes virtual channels"));
}

TEST_CASE("tofu: the route up a fat tree becomes one path, and pairs are spread over the ports") {
  const Graph graph = fat_tree(4, 2);
  const auto routing = fat_tree_adaptive(graph, UpChoice::adaptive);
  std::vector<int> taken(8);
  for (int turn = 0; turn < 8; ++turn) {
    Route route;
    routing->route(0, 15, 0, route);
    REQUIRE(route.steps.front().ports == 4);
    nic::tofu::keep_to_one_path(graph, 0, turn, route);
    CHECK(route.source_vc == 0);
    for (const Step& step : route.steps) CHECK(step.ports == 1);
    CHECK(route.steps.front().vc == 0);
    CHECK(end_of(graph, 0, route) == End::host(15));
    ++taken[route.steps.front().port];
  }
  CHECK(taken == std::vector<int>{0, 0, 0, 0, 2, 2, 2, 2});
}

TEST_CASE("tofu: the one path passes over a port whose cable has failed") {
  const Graph graph = fat_tree(4, 2);
  const auto routing = fat_tree_adaptive(graph, UpChoice::adaptive);
  const int cable = graph.channel_from(End::switch_(0, 5)) / 2;
  const Graph working = working_part(graph, {.links = {cable}});
  Route route;
  routing->route(0, 15, 0, route);
  nic::tofu::keep_to_one_path(working, 0, 1, route);
  CHECK(route.steps.front().port == 6);
}
