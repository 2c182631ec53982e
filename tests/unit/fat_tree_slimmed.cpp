/// Fat trees with fewer cables up than down: their sizes, paths, detours and broadcasts.
#include <catch2/catch.hpp>
#include <numeric>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"
#include "topologies/routing/fat_tree_broadcast.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

struct Slimmed {
  int arity, levels, nodes;
  std::vector<int> up_links;

  Graph graph() const { return fat_tree(arity, levels, nodes, up_links); }
};

/// 64 nodes slimmed at one level or both, with one root, with two and with three; half of a tree; and deeper ones.
std::vector<Slimmed> trees() {
  return {{4, 3, 0, {4, 2}}, {4, 3, 0, {2, 4}},  {4, 3, 0, {2, 2}},       {4, 3, 0, {1, 1}},        {4, 2, 0, {2}},
          {4, 2, 0, {3}},    {4, 3, 32, {3, 2}}, {2, 5, 0, {1, 2, 1, 2}}, {3, 4, 18 * 3, {2, 1, 3}}};
}

int product(const std::vector<int>& factors, int count) {
  return std::accumulate(factors.begin(), factors.begin() + count, 1, std::multiplies<>());
}

std::string name_of(const Slimmed& tree) {
  std::string name = std::to_string(tree.arity) + "-ary " + std::to_string(tree.levels) + "-tree, up";
  for (const int up : tree.up_links) name += " " + std::to_string(up);
  return name;
}

/// How many shortest paths lead from one switch to another, by breadth-first search.
int shortest_paths(const Graph& graph, int from, int to) {
  std::vector<int> distance(graph.switch_count(), -1), paths(graph.switch_count(), 0);
  std::vector<int> queue{from};
  distance[from] = 0;
  paths[from] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int at = queue[i];
    for (int port = 0; port < static_cast<int>(graph.switches()[at].link_at.size()); ++port) {
      const End next = graph.peer(End::switch_(at, port));
      if (!next.is_switch()) continue;
      if (distance[next.index] < 0) {
        distance[next.index] = distance[at] + 1;
        queue.push_back(next.index);
      }
      if (distance[next.index] == distance[at] + 1) paths[next.index] += paths[at];
    }
  }
  return paths[to];
}

Graph build(const std::string& keys) {
  ParameterSet set = ParameterSet::from_text("[topology]\n" + keys, "machine.ini");
  return Registry<TopologyPart>::get("fat_tree", "test").build(Parameters(set, "topology"), 1);
}

}  // namespace

TEST_CASE("a level of a slimmed tree has a switch for each subtree and each way up from a leaf to it") {
  for (const Slimmed& tree : trees()) {
    INFO(name_of(tree));
    const Graph graph = tree.graph();
    const int hosts = tree.nodes > 0 ? tree.nodes : bounded_power(tree.arity, tree.levels);
    CHECK(graph.host_count() == hosts);
    int switches = 0, cables = 0;
    for (int level = 0; level < tree.levels; ++level) {
      const bool is_top = level == tree.levels - 1;
      const int subtrees = is_top ? 1 : hosts / bounded_power(tree.arity, level + 1);
      const int in_level = subtrees * product(tree.up_links, level);
      switches += in_level;
      if (!is_top) cables += in_level * tree.up_links[level];
    }
    CHECK(graph.switch_count() == switches);
    CHECK(links_of_class(graph, "cable") == cables);
    CHECK(links_of_class(graph, "host") == hosts);
  }
}

TEST_CASE("64 nodes with half of the second level's cables have 8 top switches and 32 cables to them") {
  const Graph graph = fat_tree(4, 3, 0, {4, 2});
  CHECK(graph.switch_count() == 16 + 16 + 8);
  CHECK(links_of_class(graph, "cable") == 64 + 32);
  for (int top = 32; top < 40; ++top) CHECK(cabled_ports(graph, top) == 4);
  for (int middle = 16; middle < 32; ++middle) CHECK(cabled_ports(graph, middle) == 4 + 2);
}

TEST_CASE("two hosts of a slimmed tree are joined by as many shortest paths as the product of cables up says") {
  for (const Slimmed& tree : trees()) {
    INFO(name_of(tree));
    const Graph graph = tree.graph();
    const KaryTree geometry = fat_tree_geometry(graph);
    for (int host = 1; host < graph.host_count(); host += tree.arity - 1)
      CHECK(shortest_paths(graph, 0, host / tree.arity) == product(tree.up_links, geometry.nca_level(0, host)));
  }
}

TEST_CASE("the paths of a slimmed tree are as long as those of the full one, and no cycle of waiting can form") {
  for (const Slimmed& tree : trees()) {
    INFO(name_of(tree));
    const Graph slim = tree.graph(), full = fat_tree(tree.arity, tree.levels, tree.nodes);
    for (const UpChoice up : {UpChoice::adaptive, UpChoice::fixed}) {
      const auto routing = fat_tree_adaptive(slim, up);
      CHECK(misrouted_pairs(slim, *routing) == 0);
      const CheckReport report = check(slim, *routing);
      CHECK(report.passed());
      CHECK(report.lengths().histogram == check(full, *fat_tree_adaptive(full, up)).lengths().histogram);
    }
    CHECK(fat_tree_adaptive(slim, UpChoice::adaptive)->climbs_adaptively());
  }
}

TEST_CASE("fixed up ports spread all pairs evenly over the cables of each level of a slimmed tree") {
  // Each subtree's size is a multiple of the replicas above it, so that no cable can have more than the others.
  for (const Slimmed& tree : {Slimmed{4, 3, 0, {4, 2}}, {4, 3, 0, {2, 4}}, {4, 3, 0, {2, 2}}, {4, 2, 0, {2}}}) {
    INFO(name_of(tree));
    const Graph graph = tree.graph();
    const auto routing = fat_tree_adaptive(graph, UpChoice::fixed);
    std::vector<int> flows(graph.channel_count());
    Route route;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination) {
        if (source == destination) continue;
        routing->route(source, destination, 0, route);
        for (const int channel : route_channels(graph, source, route)) ++flows[channel];
      }
    const int hosts = graph.host_count();
    for (int channel = 0; channel < graph.channel_count(); ++channel) {
      const End from = graph.channel_source(channel), to = graph.channel_target(channel);
      if (!from.is_switch() || !to.is_switch()) continue;
      const int level = std::min(graph.node(from).coordinates[0], graph.node(to).coordinates[0]);
      const int below = bounded_power(tree.arity, level + 1);
      CHECK(flows[channel] == below * (hosts - below) / product(tree.up_links, level + 1));
    }
  }
}

TEST_CASE("one cable of a slimmed tree may be cut where another leads up from the same switch") {
  for (const Slimmed& tree : trees()) {
    INFO(name_of(tree));
    const Graph graph = tree.graph();
    const int hosts = graph.host_count();
    for (int link = 0; link < graph.link_count(); ++link) {
      const Link& cable = graph.links()[link];
      if (cable.a.is_host()) continue;
      const Graph working = working_part(graph, {.links = {link}});
      const CheckReport report =
          check(graph, *fat_tree_adaptive(working, UpChoice::adaptive), {.failures = {.links = {link}}});
      INFO("link " << link);
      CHECK(report.deadlock_free());
      CHECK(report.routes_broken == 0);
      const int level = graph.node(cable.a).coordinates[0];
      // With one way up from leaf to cable, the subtree below is cut off from the rest.
      const int below = bounded_power(tree.arity, level + 1);
      const bool is_only_way = product(tree.up_links, level + 1) == 1;
      CHECK(report.pairs_unserved == (is_only_way ? 2 * below * (hosts - below) : 0));
    }
  }
}

namespace {

void deliver(const Graph& graph, const BroadcastRoute& broadcast, End at, std::vector<int>& delivered) {
  if (at.is_host()) return delivered.push_back(at.index);
  const Step step = broadcast.step(at.index, at.port);
  for (int port = step.port; port < step.port + step.ports; ++port) {
    const End next = graph.peer(End::switch_(at.index, port));
    REQUIRE(next);
    deliver(graph, broadcast, next, delivered);
  }
}

}  // namespace

TEST_CASE("a broadcast in a slimmed tree reaches each host of its range once, by the first replicas") {
  for (const Slimmed& tree : trees()) {
    INFO(name_of(tree));
    const Graph graph = tree.graph();
    const KaryTree geometry = fat_tree_geometry(graph);
    int wrong = 0;
    for (int source = 0; source < graph.host_count(); source += 5)
      for (int low = 0; low < graph.host_count(); low += 3)
        for (int high = low; high < graph.host_count(); ++high) {
          std::vector<int> delivered, expected(high - low + 1);
          std::iota(expected.begin(), expected.end(), low);
          deliver(graph, broadcast_route(geometry, source, low, high), graph.peer(End::host(source)), delivered);
          wrong += delivered != expected;
        }
    CHECK(wrong == 0);
  }
}

TEST_CASE("broadcasts of a slimmed tree climb to another root where the first one has lost a cable") {
  const Graph graph = fat_tree(4, 3, 0, {2, 3});  // six roots
  const KaryTree tree = fat_tree_geometry(graph);
  CHECK(broadcast_ascent(graph, tree) == std::vector{0, 0});
  const auto without = [&](std::initializer_list<int> roots) {
    Failures failures;
    for (const int root : roots) failures.switches.push_back(tree.switch_at(2, root));
    return broadcast_ascent(working_part(graph, failures), tree);
  };
  CHECK(without({0}) == std::vector{1, 0});
  CHECK(without({0, 1}) == std::vector{0, 1});
  CHECK(without({0, 1, 2, 3, 4}) == std::vector{1, 2});
  CHECK_FALSE(without({0, 1, 2, 3, 4, 5}));
}

TEST_CASE("cables up are given as one number, as one for each level, or as full") {
  CHECK(build("up_links = full\n").shape == build("").shape);
  CHECK(build("up_links = 4\n").shape == build("").shape);  // nothing is slimmed
  CHECK(build("up_links = 2\n").shape == std::vector{4, 3, 4, 2, 2});
  CHECK(build("up_links = 4, 2\n").shape == std::vector{4, 3, 4, 4, 2});
  CHECK(build("levels = 1\nup_links = 2\n").switch_count() == 1);
}

TEST_CASE("impossible numbers of cables up are refused at their line, with the numbers that are possible") {
  const auto at_line_2 = Contains("machine.ini:2");
  CHECK_THROWS_WITH(build("up_links = 5\n"), at_line_2 && Contains("give 1..4"));
  CHECK_THROWS_WITH(build("up_links = 0\n"), at_line_2 && Contains("give 1..4"));
  CHECK_THROWS_WITH(build("up_links = 4,0\n"), at_line_2 && Contains("give 1..4"));
  CHECK_THROWS_WITH(build("up_links = -1\n"), at_line_2);
  CHECK_THROWS_WITH(build("up_links = 2,2,2\n"), at_line_2 && Contains("2 below the top"));
  CHECK_THROWS_WITH(build("up_links = 2,,2\n"), at_line_2);
  CHECK_THROWS_WITH(build("up_links = half\n"), at_line_2);
  CHECK_THROWS_WITH(build("up_links =\n"), Contains("up_links"));
}
