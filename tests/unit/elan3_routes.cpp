/// Elan3 route records against the fat tree's own routes (FACTS.md 1.2).
#include "models/nic/elan3/routes.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"
#include "topologies/dragonfly.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"
#include "topologies/routing/up_down.hpp"

using namespace sanvp;
using namespace sanvp::nic::elan3;
using topologies::End;
using topologies::fat_tree;
using topologies::fat_tree_geometry;
using topologies::Graph;
using topologies::KaryTree;
using Kind = RouteElement::Kind;

namespace {

RouteElement at_port(int number) { return {Kind::port, static_cast<std::uint8_t>(number), 0}; }
RouteElement at_range(int bottom, int top) {
  return {Kind::range, static_cast<std::uint8_t>(bottom), static_cast<std::uint8_t>(top)};
}
constexpr RouteElement adaptive{Kind::adaptive}, tree_up{Kind::tree_up}, my_link{Kind::my_link};

std::unique_ptr<const Way> decoded(const KaryTree& tree, int source, const std::vector<RouteElement>& elements) {
  return decode_route(tree, source, encode_route(elements));
}

/// Hosts that the packet reaches; every step with one port is followed, of a group the first.
void follow(const Graph& graph, const Way& way, End at, std::size_t step, std::multiset<int>& reached) {
  if (at.is_host()) {
    reached.insert(at.index);
    return;
  }
  if (step < way.route.steps.size()) {
    follow(graph, way, graph.peer(End::switch_(at.index, way.route.steps[step].port)), step + 1, reached);
    return;
  }
  REQUIRE(way.descend);
  const auto [first, count] = way.descend(at.index);
  for (int port = first; port < first + count; ++port)
    follow(graph, way, graph.peer(End::switch_(at.index, port)), step, reached);
}

std::multiset<int> reached(const Graph& graph, int source, const Way& way) {
  std::multiset<int> hosts;
  follow(graph, way, graph.peer(End::host(source)), 0, hosts);
  return hosts;
}

std::multiset<int> hosts(int low, int high) {
  std::multiset<int> all;
  for (int host = low; host <= high; ++host) all.insert(host);
  return all;
}

/// 16, 32, 64 and 1024 nodes, a tree of another arity, and trees with fewer cables up than down.
std::vector<Graph> trees() {
  return {fat_tree(4, 2),
          fat_tree(4, 3, 32),
          fat_tree(4, 3),
          fat_tree(4, 5),
          fat_tree(2, 4),
          fat_tree(4, 3, 0, {4, 2}),
          fat_tree(4, 3, 32, {2, 3}),
          fat_tree(4, 3, 0, {1, 1})};
}

}  // namespace

TEST_CASE("of 16, 32, 64 and 1024 nodes each record leads where the fat tree's own adaptive route does") {
  for (const Graph& graph : trees()) {
    const KaryTree tree = fat_tree_geometry(graph);
    const auto routing = topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive);
    topologies::Route expected;
    int wrong = 0;
    for (int source = 0; source < tree.hosts(); ++source) {
      Routes routes(RouteNetwork::of(graph, *routing), source);
      for (int destination = 0; destination < tree.hosts(); ++destination) {
        if (source == destination) continue;
        routing->route(source, destination, 0, expected);
        const Way* way = routes.find(encode_unicast(tree, source, destination));
        wrong += way == nullptr || way->route != expected || way->destination != destination || way->branches != 1 ||
                 way->descend || way->priority != 0;
      }
    }
    CAPTURE(tree.hosts());
    CHECK(wrong == 0);
  }
}

TEST_CASE("a record is worked out once, and answered with the same way each time") {
  const Graph graph = fat_tree(4, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  const auto routing = topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive);
  Routes routes(RouteNetwork::of(graph, *routing), 5);
  const RouteFlits record = encode_unicast(tree, 5, 40);
  const Way* way = routes.find(record);
  REQUIRE(way != nullptr);
  for (int other = 0; other < 64; ++other) routes.find(encode_unicast(tree, 5, other));
  CHECK(routes.find(record) == way);
  CHECK(routes.find(RouteFlits{{0x55}}) == nullptr);
  CHECK(routes.find(RouteFlits{{0x55}}) == nullptr);
}

TEST_CASE("a leaf-mate's record is one flit, any other of 64 nodes two, of 1024 up to three, and fit a table entry") {
  const KaryTree small = fat_tree_geometry(fat_tree(4, 3)), large = fat_tree_geometry(fat_tree(4, 5));
  CHECK(route_flits(encode_unicast(small, 0, 3)) == 1);
  CHECK(route_flits(encode_unicast(small, 0, 4)) == 2);
  CHECK(route_flits(encode_unicast(small, 0, 63)) == 2);
  CHECK(route_flits(encode_unicast(large, 0, 1023)) == 3);  // 8 nibbles after the first element
  const RouteFlits record = encode_unicast(large, 0, 1023);
  const std::uint64_t entry = small_entry(record, 0x1abc);
  CHECK(small_route(entry) == record);
  CHECK(E3_ROUTE_CONTEXT(entry) == 0x1abc);
  CHECK((entry & E3_ROUTE_VALID) != 0);
  CHECK((entry & E3_ROUTE_POINTER) == 0);
  CHECK(E3_ROUTE_CONTEXT(pointer_entry(0x12340, 0x1abc)) == 0x1abc);
  CHECK(static_cast<std::uint32_t>(pointer_entry(0x12340, 0x1abc)) == 0x12340);
}

TEST_CASE("the bits of a record: first element and timeout, then pads, then nibbles from the low end") {
  // From 0 to 63 of 64: ADAPTIVE first; then ADAPTIVE, ports 3 3 3: nibbles 3, b, b, b; no pads.
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  CHECK(encode_unicast(tree, 0, 63).flits == RouteFlits{{0x30 | 3 << 9, 0xbbb3}}.flits);
  // From 0 to 6: ADAPTIVE; then ports 1, 2, behind two pads.
  CHECK(encode_unicast(tree, 0, 6).flits == RouteFlits{{0x30 | 3 << 9 | 2 << 7, 0xa911}}.flits);
  // From 0 to 1..62: two TREE_UPs, of which one is a nibble, then RANGEs of two nibbles: 0..3, 0..3, and 1 up to 2.
  CHECK(encode_broadcast(tree, 0, 1, 62).flits == RouteFlits{{0x20 | 3 << 9 | 1 << 7, 0x6421, 0x4564}}.flits);
}

TEST_CASE("a broadcast record takes the fat tree's fixed way up and reaches each host of its range once") {
  for (const Graph& graph : {fat_tree(4, 2), fat_tree(2, 3), fat_tree(4, 3, 32)}) {
    const KaryTree tree = fat_tree_geometry(graph);
    int wrong = 0;
    for (int source = 0; source < tree.hosts(); ++source)
      for (int low = 0; low < tree.hosts(); ++low)
        for (int high = low; high < tree.hosts(); ++high) {
          const auto way = decode_route(tree, source, encode_broadcast(tree, source, low, high));
          if (way == nullptr) {
            ++wrong;
            continue;
          }
          const auto expected = topologies::broadcast_route(tree, source, low, high);
          int top = graph.peer(End::host(source)).index;
          for (const auto& step : way->route.steps) top = graph.peer(End::switch_(top, step.port)).index;
          wrong += top != expected.root || way->destination != low || way->branches != high - low + 1 ||
                   reached(graph, source, *way) != hosts(low, high);
        }
    CHECK(wrong == 0);
  }
}

TEST_CASE("ports name the way up too, a range may follow fixed ports down, and MY_LINK turns back") {
  const Graph graph = fat_tree(4, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  const auto fixed = decoded(tree, 0, {at_port(5), at_port(7), at_port(2), at_port(1), at_port(3)});
  REQUIRE(fixed);
  CHECK(fixed->destination == 2 * 16 + 1 * 4 + 3);
  CHECK(fixed->route.steps[0].port == 5);
  CHECK(fixed->route.steps[0].ports == 1);
  CHECK(reached(graph, 0, *fixed) == hosts(39, 39));

  const auto part = decoded(tree, 0, {adaptive, adaptive, at_port(2), at_range(1, 2), at_range(3, 0)});
  REQUIRE(part);
  CHECK(part->branches == 2);  // 39 and 40
  CHECK(reached(graph, 0, *part) == hosts(39, 40));

  CHECK(decoded(tree, 6, {my_link})->destination == 6);
  // Up to level 1, and back on the cable it came by: to the switch above the sender.
  const auto back = decoded(tree, 54, {adaptive, my_link, at_port(0)});
  REQUIRE(back);
  CHECK(back->destination == 52);
  CHECK(reached(graph, 54, *back) == hosts(52, 52));
}

TEST_CASE("priority is a bit of the record") {
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  const std::vector<RouteElement> elements{at_port(2)};
  CHECK(decode_route(tree, 0, encode_route(elements, true))->priority == 1);
  CHECK(decode_route(tree, 0, encode_route(elements, false))->priority == 0);
}

TEST_CASE("a record that leads to no host is distinguished from one that does") {
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  const auto is_way = [&](const std::vector<RouteElement>& elements) { return decoded(tree, 0, elements) != nullptr; };
  CHECK(is_way({adaptive, adaptive, at_port(0), at_port(1), at_port(2)}));
  CHECK_FALSE(is_way({adaptive, adaptive, at_port(0), at_port(1)}));                          // ends in a switch
  CHECK_FALSE(is_way({adaptive, adaptive, at_port(0), at_port(1), at_port(2), at_port(3)}));  // goes on in a host
  CHECK_FALSE(is_way({adaptive, adaptive, adaptive, at_port(0), at_port(0), at_port(0), at_port(0)}));  // above the top
  CHECK_FALSE(is_way({adaptive, at_port(0), adaptive}));                                                // up after down
  CHECK_FALSE(is_way({adaptive, adaptive, at_port(0), my_link, at_port(0)}));
  CHECK_FALSE(is_way({tree_up, at_range(0, 3), at_port(1)}));      // a port after a range
  CHECK_FALSE(is_way({tree_up, at_range(2, 1), at_range(0, 3)}));  // from 8.. to ..7
  CHECK_FALSE(
      decoded(fat_tree_geometry(fat_tree(4, 3, 32)), 0, {adaptive, adaptive, at_port(2), at_port(0), at_port(0)}));
  CHECK_FALSE(decoded(fat_tree_geometry(fat_tree(2, 2)), 0, {at_port(4)}));  // a port that such a switch does not have

  CHECK_FALSE(decode_route(tree, 0, RouteFlits{{0x18}}));          // no such first element
  CHECK_FALSE(decode_route(tree, 0, RouteFlits{{0x30, 0x98a1}}));  // pads count 0, so the first nibble is MY_LINK
  CHECK_FALSE(decode_route(tree, 0, RouteFlits{{0x30 | 2 << 7, 0xa901}}));  // a pad of zero
  CHECK_FALSE(decode_route(tree, 0, RouteFlits{{0x30 | 2 << 7, 0xa010}}));  // an element of zero
  CHECK_FALSE(decode_route(tree, 0, RouteFlits{{0x30 | 2 << 7, 0x4911}}));  // half a range
  CHECK(decode_route(tree, 0, RouteFlits{{0x30 | 2 << 7, 0xa911}}));
}

TEST_CASE("any bits at all are a way that stays in the tree, or none") {
  const Graph graph = fat_tree(4, 3, 32);
  const KaryTree tree = fat_tree_geometry(graph);
  std::uint64_t state = 1;
  const auto random = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull, state >> 33; };
  const std::uint16_t firsts[] = {0x30, 0x20, 0x10, 0x40, 0x48, 0x51, 0, 1, 2, 3, 4, 7, 0x11};
  int ways = 0;
  for (int i = 0; i < 300'000; ++i) {
    RouteFlits record;
    record.flits[0] = static_cast<std::uint16_t>(firsts[random() % std::size(firsts)] | random() % 4 << 7);
    const std::uint64_t more = random() % 3;
    for (std::size_t flit = 1; flit <= more; ++flit) record.flits[flit] = static_cast<std::uint16_t>(random());
    const int source = static_cast<int>(random() % 32);
    const auto way = decode_route(tree, source, record);
    if (way == nullptr) continue;
    ++ways;
    REQUIRE(reached(graph, source, *way) == hosts(way->destination, way->destination + way->branches - 1));
  }
  CHECK(ways > 1000);
}

TEST_CASE("outside fat trees each record leads through the ports that it names, on the routing's virtual channels") {
  const Graph graph = topologies::Dragonfly(2, 4, 2, 0, "test").graph();
  ParameterSet set = ParameterSet::from_text("[routing]\n", "test.ini");
  const auto routing =
      Registry<topologies::RoutingPart>::get("dragonfly", "test").build(graph, Parameters(set, "routing"), 1);
  topologies::Route expected;
  int wrong = 0;
  for (int source = 0; source < graph.host_count(); source += 5) {
    Routes routes(RouteNetwork::of(graph, *routing), source);
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      routing->route(source, destination, 0, expected);
      std::vector<RouteElement> elements;
      for (const topologies::Step& step : expected.steps) elements.push_back(at_port(step.port));
      const Way* way = routes.find(encode_route(elements));
      wrong += way == nullptr || way->route != expected || way->destination != destination || way->branches != 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("on switches with more ports than an Elite's a record holds bytes, and its flits are counted") {
  Graph graph;  // a star of 200 hosts
  graph.add_switch("s", 200);
  for (int i = 0; i < 200; ++i) graph.connect(End::host(graph.add_host("h")), End::switch_(0, i));
  const auto routing = topologies::up_down(graph, {});
  Routes routes(RouteNetwork::of(graph, *routing), 3);
  const std::uint8_t port[] = {199};
  const Way* way = routes.find(encode_wide_route(port));
  REQUIRE(way != nullptr);
  CHECK(way->destination == 199);
  CHECK(way->flits == 2);
  const std::uint8_t free_port[] = {200};
  CHECK(routes.find(encode_wide_route(free_port)) == nullptr);
  const std::uint8_t beyond_a_host[] = {199, 3};
  CHECK(routes.find(encode_wide_route(beyond_a_host)) == nullptr);
}
