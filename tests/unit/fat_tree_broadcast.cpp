#include "topologies/routing/fat_tree_broadcast.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "platform/core/error.hpp"
#include "topologies/fat_tree.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

/// Hosts that a packet reaches from one switch on, in the order of its copies.
void deliver(const Graph& graph, const BroadcastRoute& broadcast, End at, std::vector<int>& delivered) {
  if (at.is_host()) {
    delivered.push_back(at.index);
    return;
  }
  const Step step = broadcast.step(at.index, at.port);
  for (int port = step.port; port < step.port + step.ports; ++port) {
    const End next = graph.peer(End::switch_(at.index, port));
    REQUIRE(next);
    deliver(graph, broadcast, next, delivered);
  }
}

std::vector<int> delivered_from(const Graph& graph, int source, int low, int high) {
  const BroadcastRoute broadcast = broadcast_route(fat_tree_geometry(graph), source, low, high);
  std::vector<int> delivered;
  deliver(graph, broadcast, graph.peer(End::host(source)), delivered);
  return delivered;
}

std::vector<int> range(int low, int high) {
  std::vector<int> hosts(high - low + 1);
  std::iota(hosts.begin(), hosts.end(), low);
  return hosts;
}

}  // namespace

TEST_CASE("a broadcast reaches every host of its range once, and no other, from every source to every range") {
  for (const Graph& graph : {fat_tree(4, 2), fat_tree(2, 3), fat_tree(4, 3, 32)}) {
    int wrong = 0;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int low = 0; low < graph.host_count(); ++low)
        for (int high = low; high < graph.host_count(); ++high)
          wrong += delivered_from(graph, source, low, high) != range(low, high);
    CHECK(wrong == 0);
  }
}

TEST_CASE("inner switches copy to every port, switches at the range's edge to some, outside ones to none") {
  const Graph graph = fat_tree(4, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  const BroadcastRoute broadcast = broadcast_route(tree, 0, 5, 42);
  const auto ports = [&](int level, int column) {
    const Step step = broadcast.descend_range(tree.switch_at(level, column));
    CHECK(step.replicate);
    return step.ports == 0 ? std::pair{-1, -1} : std::pair{int{step.port}, step.port + step.ports - 1};
  };
  CHECK(broadcast.root == tree.switch_at(2, 0));
  CHECK(ports(2, 0) == std::pair{0, 2});     // hosts 0..15, 16..31, 32..47
  CHECK(ports(1, 0) == std::pair{1, 3});     // hosts 4..15 of 0..15
  CHECK(ports(1, 4) == std::pair{0, 3});     // all of 16..31
  CHECK(ports(1, 8) == std::pair{0, 2});     // hosts 32..43 of 32..47
  CHECK(ports(1, 12) == std::pair{-1, -1});  // 48..63
  CHECK(ports(0, 1) == std::pair{1, 3});     // hosts 5, 6, 7
  CHECK(ports(0, 6) == std::pair{0, 3});     // hosts 24..27
  CHECK(ports(0, 10) == std::pair{0, 2});    // hosts 40, 41, 42
  CHECK(ports(0, 0) == std::pair{-1, -1});
}

TEST_CASE("a broadcast climbs no higher than the smallest subtree that holds source and range") {
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  CHECK(broadcast_route(tree, 21, 20, 22).root == tree.switch_at(0, 5));
  CHECK(broadcast_route(tree, 21, 24, 31).root == tree.switch_at(1, 4));  // replica 0 of the subtree of 16..31
  CHECK(broadcast_route(tree, 21, 31, 32).root == tree.switch_at(2, 0));
  CHECK(broadcast_route(tree, 21, 0, 1).root == tree.switch_at(2, 0));
}

TEST_CASE("all broadcasts to the whole machine meet in one root, by the first up port") {
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  for (int source = 0; source < 64; ++source) {
    const BroadcastRoute broadcast = broadcast_route(tree, source, 0, 63);
    CHECK(broadcast.root == tree.switch_at(2, 0));
    const Step up = broadcast.step(source / 4, source % 4);
    CHECK(up.port == 4);
    CHECK(up.ports == 1);
    CHECK_FALSE(up.replicate);
  }
}

TEST_CASE("a broadcast to hosts that do not exist is refused") {
  const KaryTree tree = fat_tree_geometry(fat_tree(4, 3));
  CHECK_THROWS_AS(broadcast_route(tree, 64, 0, 1), UserError);
  CHECK_THROWS_AS(broadcast_route(tree, -1, 0, 1), UserError);
  CHECK_THROWS_AS(broadcast_route(tree, 0, 1, 64), UserError);
  CHECK_THROWS_AS(broadcast_route(tree, 0, -1, 3), UserError);
  CHECK_THROWS_AS(broadcast_route(tree, 0, 3, 2), UserError);
}
