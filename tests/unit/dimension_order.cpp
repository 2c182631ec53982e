#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/waits_for.hpp"
#include "topologies/grid.hpp"
#include "topologies/parts.hpp"
#include "topologies/processor_grid.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/interval_grid.hpp"
#include "topologies/tofu.hpp"
#include "topologies/torus.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;

namespace {

Route route_of(const Routing& routing, int source, int destination, int alternative = 0) {
  Route route;
  routing.route(source, destination, alternative, route);
  return route;
}

/// The same routing without virtual channels, as on hardware that has only one.
class OneVirtualChannel : public Routing {
 public:
  explicit OneVirtualChannel(const Routing& routing) : routing_(routing) {}
  int alternatives(int source, int destination) const override { return routing_.alternatives(source, destination); }
  void route(int source, int destination, int alternative, Route& route) const override {
    routing_.route(source, destination, alternative, route);
    for (Step& step : route.steps) step.vc = Step::any_vc;
  }

 private:
  const Routing& routing_;
};

bool same_routes(const Graph& graph, const Routing& a, const Routing& b) {
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const Route first = route_of(a, source, destination), second = route_of(b, source, destination);
      if (!std::equal(first.steps.begin(), first.steps.end(), second.steps.begin(), second.steps.end(),
                      [](const Step& x, const Step& y) { return x.port == y.port && x.ports == y.ports; }))
        return false;
    }
  return true;
}

}  // namespace

TEST_CASE("XY goes east or west first, then south or north, over any cable of the direction") {
  const Graph graph = grid({3, 4}, 16, 4);
  const auto routing = dimension_order(graph);
  const int source = 0, destination = (2 * 4 + 1) * 16 + 5;  // one column east, two rows south
  const Route route = route_of(*routing, source, destination);
  REQUIRE(route.steps.size() == 4);
  CHECK(route.steps[0].port == 24);
  CHECK(route.steps[0].ports == 4);
  CHECK(route.steps[1].port == 16);
  CHECK(route.steps[2] == route.steps[1]);
  CHECK(route.steps[3].port == 5);
  CHECK(route.steps[3].ports == 1);
  for (const Step& step : route.steps) CHECK(step.vc == Step::any_vc);
}

TEST_CASE("YX goes south first") {
  const Graph graph = grid({3, 4}, 1, 1);
  const Route route = route_of(*dimension_order(graph, {.order = "yx"}), 0, 2 * 4 + 1);
  REQUIRE(route.steps.size() == 4);
  CHECK(route.steps[0].port == 1);
  CHECK(route.steps[1].port == 1);
  CHECK(route.steps[2].port == 3);
}

TEST_CASE("a route's storage is reused and no trace of the last route is left") {
  const Graph graph = grid({4, 4}, 1, 1);
  const auto routing = dimension_order(graph);
  Route route;
  routing->route(0, 15, 0, route);
  const Step* storage = route.steps.data();
  route.source_vc = 3;
  routing->route(0, 1, 0, route);
  CHECK(route.steps.data() == storage);
  CHECK(route == route_of(*routing, 0, 1));
}

TEST_CASE("on a grid every pair is as far apart as its coordinates") {
  const int columns = 5;
  const Graph graph = grid({3, columns}, 2, 2);
  const auto routing = dimension_order(graph);
  REQUIRE(all_arrive(graph, *routing));
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const int a = source / 2, b = destination / 2;
      const int distance = std::abs(a / columns - b / columns) + std::abs(a % columns - b % columns);
      REQUIRE(hops(*routing, source, destination) == distance);
    }
  CHECK(WaitsFor(graph, *routing, 1).acyclic());
}

TEST_CASE("the mean distance of an 8x8 mesh is 16/3 hops") {
  const Graph graph = grid({8, 8}, 1, 1);
  const auto routing = dimension_order(graph);
  int sum = 0;
  for (int source = 0; source < 64; ++source)
    for (int destination = 0; destination < 64; ++destination)
      if (source != destination) sum += hops(*routing, source, destination);
  // Along an axis of n the ordered pairs are (n^3 - n)/3 hops apart in sum, here 168, for each of 8*8 pairs of the
  // other coordinates, along two axes. Over 64*63 pairs that is 16/3.
  CHECK(sum == 2 * 64 * 168);
  CHECK(3 * sum == 16 * 64 * 63);
}

TEST_CASE("a fixed cable is picked by the destination and spreads evenly") {
  const Graph graph = grid({1, 2}, 16, 4);
  const auto routing = dimension_order(graph, {.cables = Cables::fixed});
  REQUIRE(all_arrive(graph, *routing));
  std::map<int, int> users;
  for (int destination = 16; destination < 32; ++destination) {
    const Route route = route_of(*routing, 0, destination);
    CHECK(route == route_of(*routing, 7, destination));  // from any source
    CHECK(route.steps[0].ports == 1);
    ++users[route.steps[0].port];
  }
  CHECK(users == std::map<int, int>{{16, 4}, {17, 4}, {18, 4}, {19, 4}});
}

TEST_CASE("an order must name each axis once") {
  const Graph graph = grid({3, 3}, 1, 1);
  for (const char* order : {"x", "xx", "xz", "xyx", "XY", "xyz"})
    CHECK_THROWS_AS(dimension_order(graph, {.order = order}), UserError);
}

TEST_CASE("dimension order needs a topology with axes") {
  Graph star;
  star.add_switch("switch", 4);
  CHECK_THROWS_WITH(dimension_order(star), Catch::Contains("no axes"));
}

TEST_CASE("on a torus packets take the shorter way round and change the virtual channel at the wrap cable") {
  const Graph graph = torus({1, 8}, 1, 1);
  const auto routing = dimension_order(graph);
  const int up = 1, down = 2;  // one column has no ports for y
  const Route route = route_of(*routing, 6, 1);
  REQUIRE(route.steps.size() == 4);
  CHECK(route.steps[0].port == up);
  CHECK(route.steps[0].vc == 0);
  CHECK(route.steps[1].vc == 1);  // the wrap cable
  CHECK(route.steps[2].vc == 1);
  CHECK(route.steps[3].vc == Step::any_vc);  // to the host
  CHECK(route_of(*routing, 1, 6).steps[0].port == down);
  CHECK(route_of(*routing, 0, 4).steps[0].port == up);    // a tie: even hosts up
  CHECK(route_of(*routing, 1, 5).steps[0].port == down);  // odd hosts down
}

TEST_CASE("on a torus every pair is as far apart as the shorter ways round") {
  for (const int n : {4, 5}) {
    const Graph graph = torus({n, n}, 1, 1);
    const auto routing = dimension_order(graph);
    REQUIRE(all_arrive(graph, *routing));
    const auto around = [n](int a, int b) { return std::min(std::abs(a - b), n - std::abs(a - b)); };
    for (int source = 0; source < n * n; ++source)
      for (int destination = 0; destination < n * n; ++destination)
        if (source != destination)
          REQUIRE(hops(*routing, source, destination) ==
                  around(source / n, destination / n) + around(source % n, destination % n));
  }
}

TEST_CASE("the datelines are what keeps a torus from deadlock") {
  const Graph graph = torus({5, 5}, 1, 1);
  const auto routing = dimension_order(graph);
  CHECK(WaitsFor(graph, *routing, 2).acyclic());
  CHECK_FALSE(WaitsFor(graph, OneVirtualChannel(*routing), 2).acyclic());
  CHECK_FALSE(WaitsFor(graph, OneVirtualChannel(*routing), 1).acyclic());
}

TEST_CASE("with one virtual channel a torus is free of deadlock as a mesh, wrap cables as first hops or unused") {
  const Graph graph = torus({5, 6}, 1, 1);
  int sums[2] = {};
  for (const Wrap wrap : {Wrap::never, Wrap::first_hop}) {
    const auto routing = dimension_order(graph, {.wrap = wrap});
    CHECK(all_arrive(graph, *routing));
    CHECK(WaitsFor(graph, *routing, 1).acyclic());
    for (int destination = 1; destination < 30; ++destination)
      sums[wrap == Wrap::first_hop] += hops(*routing, 0, destination);
  }
  // From the corner of a 5x6 mesh: 5 times 0+..+5 and 6 times 0+..+4. The corner lies on all edges, so that first-hop
  // wrap cables make it the torus's centre: 5 times 0+1+2+3+2+1 and 6 times 0+1+2+2+1.
  CHECK(sums[0] == 5 * 15 + 6 * 10);
  CHECK(sums[1] == 5 * 9 + 6 * 6);
}

TEST_CASE("tori with two switches along an axis, several cables and hosts are served without deadlock") {
  const Graph graph = torus({2, 4}, 3, 2);
  for (const Cables cables : {Cables::grouped, Cables::fixed}) {
    const auto routing = dimension_order(graph, {.cables = cables});
    CHECK(all_arrive(graph, *routing));
    CHECK(WaitsFor(graph, *routing, 2).acyclic());
  }
}

TEST_CASE("three-dimensional tori and hypercubes are routed too") {
  const Graph cube = torus({3, 4, 5}, 1, 1);
  const auto routing = dimension_order(cube);
  CHECK(all_arrive(cube, *routing));
  CHECK(WaitsFor(cube, *routing, 2).acyclic());
  const Graph hypercube = grid({2, 2, 2, 2}, 1, 1);
  const auto e_cube = dimension_order(hypercube);
  CHECK(hops(*e_cube, 0b0101, 0b1010) == 4);
  CHECK(WaitsFor(hypercube, *e_cube, 1).acyclic());
}

TEST_CASE("the GCel's grid is routed XY") {
  const Graph graph = processor_grid(4, 4);
  const auto routing = dimension_order(graph);
  CHECK(all_arrive(graph, *routing));
  CHECK(hops(*routing, 0, 15) == 6);
  CHECK(route_of(*routing, 0, 15).steps[0].port == 3);  // east
}

TEST_CASE("the flattened TOFU goes to the group first, then to the index") {
  const Graph graph = tofu_flat(3);
  const auto routing = dimension_order(graph);
  CHECK(all_arrive(graph, *routing));
  CHECK(WaitsFor(graph, *routing, 1).acyclic());
  const Route route = route_of(*routing, 2, 24 + 3);
  REQUIRE(route.steps.size() == 2 + 1 + 1);
  CHECK(route.steps[0].port == 1);  // x+
  CHECK(route.steps[1].port == 1);
  CHECK(route.steps[2].port == 3);  // y+

  const Graph rings = tofu_flat(3, 1, Axis::Kind::ring, Axis::Kind::ring);
  const auto around = dimension_order(rings);
  CHECK(hops(*around, 0, 24 + 11) == 2);
  CHECK(WaitsFor(rings, *around, 2).acyclic());
}

TEST_CASE("universal routing visits the switch drawn, in virtual channels of its own") {
  const Graph graph = grid({3, 3}, 2, 2);
  const auto routing = dimension_order(graph, {.universal = Universal::virtual_channels, .random_header_flits = 2});
  CHECK(routing->random_alternative());
  CHECK(routing->alternatives(0, 1) == 9);
  CHECK(all_arrive(graph, *routing));
  CHECK(WaitsFor(graph, *routing, 2).acyclic());
  CHECK_FALSE(WaitsFor(graph, OneVirtualChannel(*routing), 1).acyclic());

  const Route route = route_of(*routing, 0, 2 * 2, 8);  // from switch 0 by way of switch 8 to switch 2
  REQUIRE(route.steps.size() == 4 + 2 + 1);
  CHECK(route.steps[3].vc == 0);
  CHECK(route.steps[4].vc == 1);
  CHECK(route.steps[0].prepend == 2);
  CHECK(route.steps[4].strip == 2);  // switch 8 removes the random header
  int added = 0;
  for (const Step& step : route.steps) added += step.prepend - step.strip;
  CHECK(added == 0);
}

TEST_CASE("universal routing by way of the first switch adds no header") {
  const Graph graph = grid({3, 3}, 1, 1);
  const auto routing = dimension_order(graph, {.universal = Universal::virtual_channels, .random_header_flits = 2});
  for (const Step& step : route_of(*routing, 0, 8, 0).steps) {
    CHECK(step.prepend == 0);
    CHECK(step.strip == 0);
  }
  CHECK(route_of(*routing, 0, 8, 8).steps.back().strip == 2);  // drawn: the destination's own switch
}

TEST_CASE("universal routing with link sets needs one virtual channel but two cables") {
  const Graph graph = grid({3, 3}, 1, 3);
  const auto routing = dimension_order(graph, {.universal = Universal::link_sets});
  CHECK(all_arrive(graph, *routing));
  CHECK(WaitsFor(graph, *routing, 1).acyclic());
  const Route route = route_of(*routing, 0, 0 + 2, 8);
  CHECK(route.steps[0].ports == 1);  // half of three cables
  CHECK(route.steps.end()[-2].ports == 2);
  CHECK_THROWS_AS(dimension_order(grid({3, 3}, 1, 1), {.universal = Universal::link_sets}), UserError);
}

TEST_CASE("universal routing on a torus has two virtual channels per phase") {
  const Graph graph = torus({3, 5}, 1, 1);
  const auto routing = dimension_order(graph, {.universal = Universal::virtual_channels});
  CHECK(all_arrive(graph, *routing));
  CHECK(WaitsFor(graph, *routing, 4).acyclic());
  // From x = 3 to x = 0 and on to x = 3, each time through the wrap cable.
  const Route route = route_of(*routing, 3, 5 + 3, 0);
  std::vector<int> vcs;
  for (const Step& step : route.steps) vcs.push_back(step.vc);
  CHECK(vcs == std::vector<int>{0, 1, 3, 3, 2, Step::any_vc});
}

TEST_CASE("interval tables of a grid route as YX, one interval per direction and one per host") {
  const Graph graph = grid({4, 5}, 3, 2);
  const Lattice lattice = Lattice::of(graph, "test");
  const IntervalLabelling labelling = interval_labels(lattice);
  CHECK(labelling.tables[0].intervals().size() == 3 + 2);          // a corner
  CHECK(labelling.tables[1 * 5 + 2].intervals().size() == 3 + 4);  // the inside
  const auto routing = interval_routing(graph, labelling);
  CHECK(same_routes(graph, *routing, *dimension_order(graph, {.order = "yx"})));
  CHECK_FALSE(same_routes(graph, *routing, *dimension_order(graph)));
  CHECK(WaitsFor(graph, *routing, 1).acyclic());
}

TEST_CASE("interval tables leave the wrap cables of a torus unused") {
  const Graph graph = torus({4, 4, 3}, 2, 1);
  const auto routing = interval_routing(graph, interval_labels(Lattice::of(graph, "test")));
  CHECK(same_routes(graph, *routing, *dimension_order(graph, {.order = "zyx", .wrap = Wrap::never})));
}

TEST_CASE("fixed interval tables cut a direction's interval into one piece per cable") {
  const Graph graph = grid({2, 4}, 2, 2);
  const IntervalLabelling labelling = interval_labels(Lattice::of(graph, "test"), Cables::fixed);
  const int south = 2;
  // The second row is labels 8..15.
  CHECK(*labelling.tables[0].find(8) == Interval{8, 12, south, 1, 0});
  CHECK(*labelling.tables[0].find(15) == Interval{12, 16, south + 1, 1, 0});
  const auto routing = interval_routing(graph, labelling);
  CHECK(all_arrive(graph, *routing));
  CHECK(WaitsFor(graph, *routing, 1).acyclic());
}

TEST_CASE("dimension order reads its choices from the machine") {
  const Graph graph = torus({4, 4}, 4, 2);
  const auto build = [&](const std::string& text) {
    ParameterSet set = ParameterSet::from_text("[routing]\n" + text, "test.ini");
    auto routing = Registry<RoutingPart>::get("dimension_order", "test").build(graph, Parameters(set, "routing"), 1);
    set.require_all_read();
    return routing;
  };
  CHECK(same_routes(graph, *build(""), *dimension_order(graph)));
  CHECK(same_routes(graph, *build("order = yx\nwrap = first-hop\ncables = fixed"),
                    *dimension_order(graph, {.order = "yx", .wrap = Wrap::first_hop, .cables = Cables::fixed})));
  CHECK(route_of(*build("universal = link-sets"), 0, 40, 3).steps[0].prepend == 2);
  CHECK_THROWS_WITH(build("order = xz"), Catch::StartsWith("test.ini:2: the order"));
  CHECK_THROWS_AS(build("wrap = sometimes"), UserError);
}
