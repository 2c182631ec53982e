#include "topologies/routing/route_file.hpp"

#include <catch2/catch.hpp>

#include "platform/core/error.hpp"
#include "tests/unit/core_support.hpp"
#include "tests/unit/network_support.hpp"
#include "topologies/irregular.hpp"
#include "topologies/routing/in_transit.hpp"

using namespace sanvp;
using namespace sanvp::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("routes are read from text, several per pair in the order of their ids") {
  const Graph ring = row(4, true);
  const auto routes =
      parse_routes(ring, "route 0 2 9 2 2 0\nroute 0 2 4 1 1 0 # the other way\nroute 1 3 0 2 0 / 2 0\n", "r");
  REQUIRE(routes->alternatives(0, 2) == 2);
  CHECK(routes->route_id(0, 2, 0) == 4);
  CHECK(routes->route_id(0, 2, 1) == 9);
  CHECK(routes->alternatives(2, 0) == 0);
  CHECK(routes->alternatives(3, 0) == 0);
  Route route;
  routes->route(0, 2, 0, route);
  CHECK(route.steps == std::vector{to(1), to(1), to(0)});
  routes->route(0, 2, 1, route);
  CHECK(route.steps == std::vector{to(2), to(2), to(0)});
  routes->route(1, 3, 0, route);
  CHECK(route.steps == std::vector{to(2), in_transit(0), to(2), to(0)});
  CHECK(route.in_transit_hosts() == 1);
}

TEST_CASE("routes written as text are read back the same") {
  const Graph graph = irregular({.switches = 16}, 2);
  const auto routes = myrinet(graph);
  const std::string text = to_text(graph, *routes);
  const auto again = parse_routes(graph, text, "again.txt");
  CHECK(again->size() == routes->size());
  CHECK(to_text(graph, *again) == text);
  Route expected, found;
  for (int source = 0; source < graph.host_count(); source += 5)
    for (int destination = 0; destination < graph.host_count(); destination += 3)
      for (int id = 0; id < 3 && source != destination; ++id) {
        routes->route(source, destination, id, expected);
        again->route(source, destination, id, found);
        REQUIRE(found == expected);
      }
}

TEST_CASE("groups, preferred ports, virtual channels, header flits and injection ports are written and read back") {
  Graph graph = row(2, true);
  ListedRouting routing;
  routing.random = true;
  routing.add(
      0, 1, {Step{.port = 1, .ports = 2, .preferred = 1, .vc = 3, .strip = 1, .prepend = 2}, Step{.port = 0, .vc = 0}});
  routing.routes.at({0, 1}).front().source_vc = 5;
  const std::string text = to_text(graph, routing);
  CHECK_THAT(text, Contains("random\n") && Contains("route 0v5 1 0 1..2@2v3+2-1 0v0\n"));
  const auto again = parse_routes(graph, text, "again.txt");
  CHECK(again->random_alternative());
  Route route;
  again->route(0, 1, 0, route);
  CHECK(route == routing.routes.at({0, 1}).front());
}

TEST_CASE("routes need the virtual channel of their injection as they need those of their steps") {
  const Graph graph = row(2, true);
  const auto needed = [&graph](const char* route) { return parse_routes(graph, route, "r")->virtual_channels(); };
  CHECK(needed("route 0 1 0 1 0\n") == 1);
  CHECK(needed("route 0v3 1 0 1 0\n") == 4);
  CHECK(needed("route 0v1 1 0 1 0v2\n") == 3);
}

TEST_CASE("a second path, from which the first switch may choose, is written and read back") {
  const Graph ring = row(4, true);
  const std::string text =
      "# route SRC DST ID PORT PORT ... [/ PORT ...]\nroute 0 2 4 1 1v1 0 | 2 2 0\nroute 0 2 5 2 2 0\n";
  const auto routes = parse_routes(ring, text, "r");
  Route route;
  routes->route(0, 2, 0, route);
  REQUIRE(route.has_choice());
  CHECK(std::vector(route.first_path().begin(), route.first_path().end()) ==
        std::vector{to(1), Step{.port = 1, .vc = 1}, to(0)});
  CHECK(std::vector(route.second_path().begin(), route.second_path().end()) == std::vector{to(2), to(2), to(0)});
  routes->route(0, 2, 1, route);
  CHECK_FALSE(route.has_choice());
  CHECK(to_text(ring, *routes) == text);
}

TEST_CASE("a hardware broadcast is not written") {
  ListedRouting routing;
  routing.add(0, 1, {Step{.port = 2, .replicate = true}, to(0)});
  CHECK_THAT(complaint([&] { to_text(row(2, true), routing); }), Contains("no hardware broadcast"));
}

TEST_CASE("every mistake in a route file is named with file and line") {
  const auto expect = [](const std::string& text, const std::string& cause) {
    CHECK_THAT(complaint([&] { parse_routes(row(4, false), "# row\n" + text + "\n", "routes.txt"); }),
               StartsWith("routes.txt:2: ") && Contains(cause));
  };
  expect("rout 0 1 0 2 0", "unknown statement 'rout'");
  expect("route 0 1 0", "ends too early");
  expect("route 0 4 0 2 0", "destination '4' is out of range");
  expect("route -1 2 0 2 0", "source '-1' is out of range");
  expect("route 1 1 0 0", "from host 1 to itself");
  expect("route 0 1 -1 2 0", "route id '-1' is out of range");
  expect("route 0 1 0 3 0", "port '3' is out of range");
  expect("route 0 1 0 99999999999999999999 0", "out of range");
  expect("route 0 1 0 x 0", "port 'x' is not a whole number");
  expect("route 0 1 0 1 0", "nothing is plugged in at s0 port 1");
  expect("route 0 2 0 2 0", "ends at h1, not at h2");
  expect("route 0 1 0 2", "ends at s1");
  expect("route 0 1 0 2 0 0", "continues after it has reached h1");
  expect("route 0 2 0 2 / 2 0", "'/' stands where the route is at s1");
  expect("route 0 2 0 / 2 0", "'/' stands where the route is at s0");
  expect("route 0 2 0 2 0 / / 2 0", "'/' stands where the route is at s1");
  expect("route 0 1 0 2 0 /", "ends at s1");
  expect("route 0 2 0 2 0 /2 0", "continues after");
  expect("route 0 1 0 2..0 0", "last port '0' is out of range");
  expect("route 0 1 0 2.. 0", "last port '' is not a whole number");
  expect("route 0 1 0 1..2@0 0", "preferred port '0' is out of range");
  expect("route 0 1 0 2v255 0", "virtual channel '255' is out of range");
  expect("route 0 1 0 2x 0", "'2x' goes on with 'x'");
  expect("route 0.1 1 0 2 0", "port of the host '1' is out of range");
  expect("random 3", "unknown statement 'random'");
  expect("route 0 1 0 | 2 0", "ends at s0");
  expect("route 0 1 0 2 | 2 0", "ends at s1");
  expect("route 0 1 0 2 0 | 2", "ends at s1");
  expect("route 0 1 0 2 0 |", "ends at s0");
  expect("route 0 1 0 2 0 | 2 0 | 2 0", "at most two paths");
}

TEST_CASE("a route given twice is named with both lines") {
  CHECK_THAT(complaint([] { parse_routes(row(2, false), "route 0 1 3 2 0\nroute 1 0 3 1 0\nroute 0 1 3 2 0\n", "r"); }),
             StartsWith("r:3: ") && Contains("already given in line 1"));
}

TEST_CASE("a route longer than any network is refused") {
  std::string text = "route 0 1 0";
  for (int i = 0; i < 5000; ++i) text += " 2 1";
  CHECK_THAT(complaint([&] { parse_routes(row(2, false), text, "r"); }), StartsWith("r:1: ") && Contains("more after"));
}

TEST_CASE("a route table refuses routes out of order") {
  RouteTable table;
  table.append(1, 0, 0, {to(0)});
  CHECK_THROWS_AS(table.append(1, 0, 0, {to(0)}), std::logic_error);
  CHECK_THROWS_AS(table.append(0, 1, 0, {to(0)}), std::logic_error);
  table.append(1, 0, 1, {to(0)});
  CHECK(table.alternatives(1, 0) == 2);
  CHECK(table.alternatives(0, 1) == 0);
  CHECK(table.alternatives(2, 0) == 0);
}
