#include "topologies/fat_tree.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "platform/core/error.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

/// Cables between switches of a level and of the next.
std::vector<int> cables_above_levels(const Graph& graph, int levels) {
  std::vector<int> cables(levels);
  for (const Link& link : graph.links())
    if (link.a.is_switch()) ++cables[graph.node(link.a).coordinates[0]];
  return cables;
}

}  // namespace

TEST_CASE("a 4-ary n-tree has 4^n hosts, n 4^(n-1) switches and n 4^n cables, for 1..7 levels") {
  int hosts = 4;
  for (int levels = 1; levels <= 7; ++levels, hosts *= 4) {
    const Graph graph = fat_tree(4, levels);
    CHECK(graph.host_count() == hosts);
    CHECK(graph.switch_count() == levels * hosts / 4);
    CHECK(graph.link_count() == levels * hosts);
    CHECK(links_of_class(graph, "host") == hosts);
  }
}

TEST_CASE("each level of a fat tree has as many cables up as there are hosts, so the bisection is full") {
  CHECK(cables_above_levels(fat_tree(4, 3), 3) == std::vector{64, 64, 0});
  CHECK(cables_above_levels(fat_tree(4, 3, 32), 3) == std::vector{32, 32, 0});
  CHECK(cables_above_levels(fat_tree(3, 4), 4) == std::vector{81, 81, 81, 0});
}

TEST_CASE("host v hangs on leaf switch v div k at port v mod k") {
  for (const auto& [arity, levels, nodes] : {std::tuple{4, 3, 0}, std::tuple{4, 3, 32}, std::tuple{3, 2, 0}}) {
    const Graph graph = fat_tree(arity, levels, nodes);
    for (int host = 0; host < graph.host_count(); ++host)
      CHECK(graph.peer(End::host(host)) == End::switch_(host / arity, host % arity));
  }
}

TEST_CASE("the 32-node QsNET is two 16-node halves under 16 top switches with two cables each") {
  const Graph graph = fat_tree(4, 3, 32);
  CHECK(graph.host_count() == 32);
  REQUIRE(graph.switch_count() == 8 + 8 + 16);
  for (int switch_ = 0; switch_ < 16; ++switch_) CHECK(cabled_ports(graph, switch_) == 8);
  for (int top = 16; top < 32; ++top) {
    CHECK(cabled_ports(graph, top) == 2);
    // Port 0 leads to the half of hosts 0..15 (columns 0..3 of level 1), port 1 to the other.
    CHECK(graph.node(graph.peer(End::switch_(top, 0))).coordinates[1] / 4 == 0);
    CHECK(graph.node(graph.peer(End::switch_(top, 1))).coordinates[1] / 4 == 1);
  }
}

TEST_CASE("a tree of one level is one switch, also with fewer hosts than down ports") {
  const Graph full = fat_tree(4, 1);
  CHECK(full.host_count() == 4);
  CHECK(full.switch_count() == 1);
  const Graph pair = fat_tree(4, 1, 2);
  CHECK(pair.host_count() == 2);
  CHECK(pair.link_count() == 2);
  CHECK(misrouted_pairs(pair, *fat_tree_adaptive(pair, UpChoice::adaptive)) == 0);
}

TEST_CASE("from each of 64 hosts 3 meet at level 0, 12 at level 1 and 48 at level 2, on paths of 1, 3 and 5 switches") {
  const Graph graph = fat_tree(4, 3);
  const auto routing = fat_tree_adaptive(graph, UpChoice::adaptive);
  Route route;
  for (int source = 0; source < 64; ++source) {
    std::map<std::size_t, int> pairs_by_switches;
    for (int destination = 0; destination < 64; ++destination) {
      if (destination == source) continue;
      routing->route(source, destination, 0, route);
      ++pairs_by_switches[route.steps.size()];
    }
    CHECK(pairs_by_switches == std::map<std::size_t, int>{{1, 3}, {3, 12}, {5, 48}});
  }
}

TEST_CASE("every fat-tree route ends at its destination whatever up ports are taken") {
  for (const auto& [arity, levels, nodes] : {std::tuple{4, 3, 0}, std::tuple{4, 3, 32}, std::tuple{4, 3, 48},
                                             std::tuple{4, 2, 0}, std::tuple{3, 3, 0}, std::tuple{2, 5, 0}}) {
    const Graph graph = fat_tree(arity, levels, nodes);
    CHECK(misrouted_pairs(graph, *fat_tree_adaptive(graph, UpChoice::adaptive)) == 0);
    CHECK(misrouted_pairs(graph, *fat_tree_adaptive(graph, UpChoice::fixed)) == 0);
  }
}

TEST_CASE("with one virtual channel no cycle of waiting can form in a fat tree") {
  const Graph graph = fat_tree(4, 3, 32);
  for (const UpChoice up : {UpChoice::adaptive, UpChoice::fixed})
    CHECK(WaitsFor(graph, *fat_tree_adaptive(graph, up), 1).acyclic());
}

TEST_CASE("an adaptive ascent permits all up ports and prefers the fixed one") {
  const Graph graph = fat_tree(4, 3);
  Route adaptive, fixed;
  fat_tree_adaptive(graph, UpChoice::adaptive)->route(0, 57, 0, adaptive);
  fat_tree_adaptive(graph, UpChoice::fixed)->route(0, 57, 0, fixed);
  // 57 is 321 in base 4: up by its digits 1 and 2, down by 3, 2 and 1.
  REQUIRE(fixed.steps.size() == 5);
  REQUIRE(adaptive.steps.size() == 5);
  const std::vector<int> ports = {4 + 1, 4 + 2, 3, 2, 1};
  for (int i = 0; i < 5; ++i) CHECK(fixed.steps[i].port == ports[i]);
  for (int i = 0; i < 2; ++i) {
    CHECK(adaptive.steps[i].port == 4);
    CHECK(adaptive.steps[i].ports == 4);
    CHECK(adaptive.steps[i].port + adaptive.steps[i].preferred == fixed.steps[i].port);
  }
  for (int i = 2; i < 5; ++i) CHECK(adaptive.steps[i] == fixed.steps[i]);
}

TEST_CASE("fixed up ports carry every shift and the complement without two flows on a channel") {
  const Graph graph = fat_tree(4, 3);
  const auto routing = fat_tree_adaptive(graph, UpChoice::fixed);
  const auto most = [&](const auto& partner) {
    const std::vector<int> flows = flows_per_channel(graph, *routing, partner);
    return *std::max_element(flows.begin(), flows.end());
  };
  for (int shift = 1; shift < 64; ++shift) CHECK(most([&](int host) { return (host + shift) % 64; }) == 1);
  CHECK(most([](int host) { return 63 - host; }) == 1);
  // And a pattern that it cannot carry so: swapped halves of the number send four sources of a leaf to one digit.
  CHECK(most([](int host) { return host % 8 * 8 + host / 8; }) > 1);
}

TEST_CASE("a reused route keeps nothing of the one before") {
  const Graph graph = fat_tree(4, 3);
  const auto routing = fat_tree_adaptive(graph, UpChoice::adaptive);
  Route reused, fresh;
  reused.steps.assign(9, Step{7, 7, 7, 7, 7, 7, true, true});
  reused.source_port = 3;
  reused.source_vc = 1;
  routing->route(5, 6, 0, reused);
  routing->route(5, 6, 0, fresh);
  CHECK(reused == fresh);
  CHECK(routing->alternatives(5, 5) == 0);
}

TEST_CASE("impossible fat trees are refused with the sizes that are possible") {
  CHECK_THROWS_AS(fat_tree(1, 3), UserError);
  CHECK_THROWS_AS(fat_tree(-4, 3), UserError);
  CHECK_THROWS_AS(fat_tree(4, 0), UserError);
  CHECK_THROWS_AS(fat_tree(4, -1), UserError);
  CHECK_THROWS_AS(fat_tree(1 << 30, 1), UserError);
  CHECK_THROWS_WITH(fat_tree(4, 11), Contains("too large"));
  CHECK_THROWS_WITH(fat_tree(4, 1 << 30), Contains("too large"));
  CHECK_THROWS_WITH(fat_tree(4, 3, 40), Contains("multiple of 16 from 32 to 64"));
  for (const int nodes : {-32, 16, 63, 65, 80}) CHECK_THROWS_AS(fat_tree(4, 3, nodes), UserError);
}

TEST_CASE("the fat tree's routing refuses other graphs") {
  Graph graph;
  CHECK_THROWS_WITH(fat_tree_adaptive(graph, UpChoice::fixed), Contains("topology 'custom'"));
}
