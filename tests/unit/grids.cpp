#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/grid.hpp"
#include "topologies/lattice.hpp"
#include "topologies/parts.hpp"
#include "topologies/processor_grid.hpp"
#include "topologies/tofu.hpp"
#include "topologies/torus.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

int cables_between(const Graph& graph, int a, int b) {
  return static_cast<int>(std::count_if(graph.links().begin(), graph.links().end(), [&](const Link& link) {
    return link.a.is_switch() && link.b.is_switch() && std::set<int>{link.a.index, link.b.index} == std::set<int>{a, b};
  }));
}

int plugged_ports(const Graph& graph, int switch_) {
  const auto& link_at = graph.switches()[switch_].link_at;
  return static_cast<int>(link_at.size() - std::count(link_at.begin(), link_at.end(), -1));
}

Graph build(const std::string& part, const std::string& machine) {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + machine, "test.ini");
  Graph graph = Registry<TopologyPart>::get(part, "test").build(Parameters(set, "topology"), 1);
  set.require_all_read();
  return graph;
}

}  // namespace

TEST_CASE("the Macrame grids have 16 hosts a switch and 4 cables to each neighbour") {
  const int hosts_per_switch = 16, cables = 4;
  for (const int side : {2, 4, 5, 8}) {
    const Graph graph = grid({side, side}, hosts_per_switch, cables);
    const int neighbours = 2 * side * (side - 1);
    CHECK(graph.host_count() == hosts_per_switch * side * side);
    CHECK(graph.switch_count() == side * side);
    CHECK(graph.link_count() == graph.host_count() + cables * neighbours);
    CHECK(graph.switches()[0].link_at.size() == 32);  // an STC104 has 32 data links
  }
}

TEST_CASE("a grid need not be square") {
  const Graph graph = grid({3, 5}, 2, 1);
  CHECK(graph.switch_count() == 15);
  CHECK(graph.link_count() == 2 * 15 + 3 * 4 + 2 * 5);
  CHECK(graph.switches()[5 + 2].name == "switch y1x2");
  CHECK(graph.switches()[5 + 2].coordinates == std::vector<int>{1, 2});
  CHECK(graph.peer(End::host(2 * (5 + 2) + 1)) == End::switch_(5 + 2, 1));
}

TEST_CASE("each direction of a grid is one group of adjacent ports: hosts, south, north, east, west") {
  const int columns = 3, centre = 1 * columns + 1, hosts = 16, cables = 4;
  const Graph graph = grid({3, columns}, hosts, cables);
  for (int cable = 0; cable < cables; ++cable) {
    const int south = hosts + cable, north = south + cables, east = north + cables, west = east + cables;
    CHECK(graph.peer(End::switch_(centre, south)) == End::switch_(centre + columns, north));
    CHECK(graph.peer(End::switch_(centre, north)) == End::switch_(centre - columns, south));
    CHECK(graph.peer(End::switch_(centre, east)) == End::switch_(centre + 1, west));
    CHECK(graph.peer(End::switch_(centre, west)) == End::switch_(centre - 1, east));
    CHECK_FALSE(graph.peer(End::switch_(0, north)));
    CHECK_FALSE(graph.peer(End::switch_(0, west)));
  }
}

TEST_CASE("ports are named by their direction") {
  const Lattice flat = Lattice::of(grid({2, 2}, 16, 4), "test");
  CHECK(flat.port_name(15) == "host 15");
  CHECK(flat.port_name(16) == "y+ cable 0");
  CHECK(flat.port_name(23) == "y- cable 3");
  CHECK(flat.port_name(24) == "x+ cable 0");
  CHECK(flat.port_name(31) == "x- cable 3");
  CHECK(flat.port_name(32) == "port 32");
  const Lattice six = Lattice::of(tofu(2, 2, 2), "test");
  std::string names;
  for (int port = 0; port < six.ports(); ++port) names += six.port_name(port).substr(0, 2) + ",";
  CHECK(names == "ho,x+,x-,y+,y-,z+,z-,a ,b+,b-,c ,");
}

TEST_CASE("a torus has twice as many cables per switch as axes") {
  const Graph graph = torus({4, 8}, 16, 4);
  CHECK(graph.link_count() == graph.host_count() + 2 * 4 * graph.switch_count());
  for (int s = 0; s < graph.switch_count(); ++s) CHECK(plugged_ports(graph, s) == 32);
  const int last = 7, east = 24, west = 28;
  CHECK(graph.peer(End::switch_(last, east)) == End::switch_(0, west));
}

TEST_CASE("two switches on a ring are joined by both groups of cables, a single one by none") {
  CHECK(cables_between(torus({2, 1}, 1, 3), 0, 1) == 2 * 3);
  CHECK(torus({1, 1}, 5, 3).link_count() == 5);
}

TEST_CASE("a grid may have any number of dimensions") {
  const Graph hypercube = grid({2, 2, 2, 2}, 1, 1);
  CHECK(hypercube.link_count() == 16 + 4 * 16 / 2);
  const Graph cube = torus({3, 4, 5}, 1, 1);
  CHECK(cube.link_count() == 60 + 3 * 60);
  CHECK(cube.switches()[20].name == "switch z1y0x0");
}

TEST_CASE("a node of the processor grid has a host and four links") {
  const Graph graph = processor_grid(8, 8);
  CHECK(graph.host_count() == 64);
  CHECK(graph.link_count() == 64 + 2 * 8 * 7);
  CHECK(graph.switches()[0].link_at.size() == 1 + 4);
  CHECK(plugged_ports(graph, 0) == 1 + 2);
  CHECK(plugged_ports(graph, 9) == 1 + 4);
}

TEST_CASE("a TOFU group has 12 nodes and a node 10 links") {
  const int groups = 4 * 4 * 4;
  const Graph graph = tofu(4, 4, 4);
  CHECK(graph.host_count() == 12 * groups);
  CHECK(graph.host_count() == 768);
  for (int s = 0; s < graph.switch_count(); ++s) CHECK(plugged_ports(graph, s) == 1 + 10);
  // Links: 3 upward ones per node for x, y, z; in a group 6 + 12 + 6 for a, b, c.
  CHECK(graph.link_count() == 768 + 3 * 768 + groups * 24);
}

TEST_CASE("adjacent TOFU groups are joined by 12 links") {
  const Graph graph = tofu(3, 4, 5);
  const int next_z = 12, next_y = 5 * next_z, next_x = 4 * next_y;
  for (const int neighbour : {next_z, next_y, next_x}) {
    int links = 0;
    for (int node = 0; node < 12; ++node) links += cables_between(graph, node, neighbour + node);
    CHECK(links == 12);
  }
}

TEST_CASE("the flattened TOFU numbers its hosts group by group and joins equal indices") {
  const Graph graph = tofu_flat(3);
  CHECK(graph.host_count() == 36);
  CHECK(graph.hosts()[12].coordinates == std::vector<int>{1, 0});
  CHECK(graph.hosts()[35].coordinates == std::vector<int>{2, 11});
  int between_first_two = 0, ends = 0;
  for (int i = 0; i < 12; ++i) {
    between_first_two += cables_between(graph, i, 12 + i);
    ends += cables_between(graph, i, 24 + i);
  }
  CHECK(between_first_two == 12);
  CHECK(ends == 0);
  CHECK(graph.link_count() == 36 + 2 * 12 + 3 * 11);
  CHECK(tofu_flat(3, 1, Axis::Kind::ring, Axis::Kind::ring).link_count() == 36 + 3 * 12 + 3 * 12);
}

TEST_CASE("a lattice is read back from its graph") {
  const Lattice lattice = Lattice::of(tofu(4, 3, 2, 2), "test");
  CHECK(lattice.switch_count() == 4 * 3 * 2 * 12);
  CHECK(lattice.hosts_per_switch() == 2);
  CHECK(lattice.axes()[lattice.axis('b')].kind == Axis::Kind::ring);
  CHECK(lattice.axes()[lattice.axis('c')].kind == Axis::Kind::pair);
  CHECK(lattice.axis('w') == -1);
  CHECK(lattice.stride(lattice.axis('x')) == 3 * 2 * 12);
}

TEST_CASE("a graph of another family is not a lattice") {
  Graph other;
  CHECK_THROWS_AS(Lattice::of(other, "test"), UserError);
  other.family = "fat-tree";
  other.shape = {4, 3, 16, 2, 1};  // of a lattice's length, but without letters
  CHECK_THROWS_AS(Lattice::of(other, "test"), UserError);
  other.shape = grid({2, 2}, 1, 1).shape;  // a lattice's shape, but no switches
  CHECK_THROWS_AS(Lattice::of(other, "test"), UserError);
}

TEST_CASE("a run along a ring takes the shorter way and names the wrap hop") {
  const Lattice ring = Lattice::of(torus({8}, 1, 1), "test");
  const auto up = Run::Way::up, down = Run::Way::down;
  const auto check = [&](int from, int to, Wrap wrap, Run::Way tie, Run expected) {
    const Run run = ring.run(0, from, to, wrap, tie);
    INFO("from " << from << " to " << to);
    CHECK(run.way == expected.way);
    CHECK(run.hops == expected.hops);
    CHECK(run.hops_before_wrap == expected.hops_before_wrap);
  };
  check(1, 4, Wrap::shortest, up, {up, 3, 3});
  check(6, 1, Wrap::shortest, up, {up, 3, 1});    // 6 -> 7, then the wrap cable
  check(1, 6, Wrap::shortest, up, {down, 3, 1});  // 1 -> 0, then the wrap cable
  check(1, 5, Wrap::shortest, up, {up, 4, 4});    // a tie
  check(1, 5, Wrap::shortest, down, {down, 4, 1});
  check(5, 1, Wrap::shortest, up, {up, 4, 2});
  check(3, 3, Wrap::shortest, down, {up, 0, 0});
  check(6, 1, Wrap::never, up, {down, 5, 5});
  check(6, 1, Wrap::first_hop, up, {down, 5, 5});  // not at the edge
  check(7, 1, Wrap::first_hop, up, {up, 2, 0});
  check(0, 6, Wrap::first_hop, up, {down, 2, 0});
}

TEST_CASE("impossible sizes are refused") {
  CHECK_THROWS_AS(grid({}, 1, 1), UserError);
  CHECK_THROWS_AS(grid({3, 0}, 1, 1), UserError);
  CHECK_THROWS_AS(grid({3, -2}, 1, 1), UserError);
  CHECK_THROWS_AS(grid({3, 3}, 0, 1), UserError);
  CHECK_THROWS_AS(grid({3, 3}, 1, 0), UserError);
  CHECK_THROWS_AS(grid({1 << 30, 1 << 30, 1 << 30}, 1, 1), UserError);
  CHECK_THROWS_AS(grid({2, 2}, 1, 1 << 20), UserError);
  CHECK_THROWS_AS(torus(std::vector<int>(40, 1), 1, 1), UserError);
  CHECK_THROWS_AS(tofu(0, 1, 1), UserError);
  CHECK_THROWS_AS(tofu_flat(3, 1, Axis::Kind::pair), UserError);
}

TEST_CASE("sizes are read from text") {
  CHECK(parse_sizes("8x4", "test") == std::vector<int>{8, 4});
  CHECK(parse_sizes("7", "test") == std::vector<int>{7});
  for (const char* text : {"", "x", "4x", "x4", "4x0", "4x-1", "4xx4", "fourxfour", "4x99999999999", "4*4"})
    CHECK_THROWS_AS(parse_sizes(text, "test"), UserError);
}

TEST_CASE("grid-like machines are built from their parameters") {
  CHECK(build("grid", "sizes = 5x5").host_count() == 400);
  CHECK(build("grid", "sizes = 8x8\nhosts_per_switch = 1\ncables = 1").link_count() == 64 + 112);
  CHECK(build("torus", "").host_count() == 256);
  CHECK(build("processor_grid", "rows = 4\ncolumns = 16").host_count() == 64);
  CHECK(build("tofu", "").host_count() == 768);
  CHECK(build("tofu", "x = 3\ny = 2\nz = 1\nhosts_per_node = 4").host_count() == 6 * 12 * 4);
  CHECK(build("tofu_flat", "x = ring").link_count() == 36 + 3 * 12 + 3 * 11);
  CHECK_THROWS_AS(build("grid", "sizes = 5*5"), UserError);
  CHECK_THROWS_WITH(build("grid", "sizes = 1024x1024"), Catch::StartsWith("test.ini:2: the network has more than"));
  CHECK_THROWS_AS(build("tofu_flat", "x = moebius"), UserError);
}
