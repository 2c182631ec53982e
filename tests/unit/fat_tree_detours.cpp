#include <catch2/catch.hpp>
#include <set>

#include "platform/core/random.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

/// The link that is plugged in at `port` of a switch.
int link_at(const Graph& graph, int switch_, int port) { return graph.switches()[switch_].link_at[port]; }

Route route_of(const Graph& graph, const Failures& failures, int source, int destination) {
  const Graph working = working_part(graph, failures);
  Route route;
  fat_tree_adaptive(working, UpChoice::adaptive)->route(source, destination, 0, route);
  return route;
}

CheckReport checked(const Graph& graph, const Failures& failures) {
  const Graph working = working_part(graph, failures);
  return check(graph, *fat_tree_adaptive(working, UpChoice::adaptive), {.failures = failures});
}

/// Pairs that some way up and down joins, by trying all of them.
class Ways {
 public:
  Ways(const Graph& working, const KaryTree& tree) : graph_(working), tree_(tree) {}

  bool join(int source, int destination) const {
    if (!graph_.peer(End::host(destination))) return false;
    std::set<int> at;
    if (const End leaf = graph_.peer(End::host(source))) at.insert(leaf.index);
    const int top = tree_.nca_level(source, destination);
    for (int level = 0; level < top; ++level) at = step(at, tree_.arity, tree_.arity);
    for (int level = top; level > 0; --level)
      at = step(at, destination / tree_.hosts_below(level - 1) % tree_.arity, 1);
    return !at.empty();
  }

 private:
  std::set<int> step(const std::set<int>& from, int port, int ports) const {
    std::set<int> to;
    for (const int switch_ : from)
      for (int i = 0; i < ports; ++i)
        if (const End next = graph_.peer(End::switch_(switch_, port + i)); next.is_switch()) to.insert(next.index);
    return to;
  }

  const Graph& graph_;
  const KaryTree& tree_;
};

}  // namespace

TEST_CASE("an ascent names an up port only where an adaptive one would run into a hole") {
  const Graph graph = fat_tree(4, 2);
  const KaryTree tree = fat_tree_geometry(graph);
  const Failures cut{.links = {link_at(graph, tree.switch_at(1, 1), 3)}, .switches = {}};  // top switch 1 to leaf 3

  const Route around = route_of(graph, cut, 0, 13);  // digit 0 of host 13 is 1: the port of top switch 1
  REQUIRE(around.steps.size() == 3);
  CHECK(around.steps[0].port == 4 + 2);  // the next one
  CHECK(around.steps[0].ports == 1);
  CHECK(around.steps[1].port == 3);
  CHECK(around.steps[2].port == 1);

  const Route elsewhere = route_of(graph, cut, 0, 5);
  CHECK(elsewhere.steps[0].port == 4);
  CHECK(elsewhere.steps[0].ports == 4);
  const Route away = route_of(graph, cut, 13, 0);  // leaf 3 passes over its own cut cable by itself
  CHECK(away.steps[0].ports == 4);
  CHECK(route_of(graph, cut, 12, 13) == route_of(graph, {}, 12, 13));
}

TEST_CASE("any one cable between switches may be cut, and any one switch above the leaves fail: all pairs are served") {
  for (const Graph& graph : {fat_tree(4, 2), fat_tree(4, 3), fat_tree(4, 3, 32), fat_tree(2, 4)}) {
    const KaryTree tree = fat_tree_geometry(graph);
    for (int link = 0; link < graph.link_count(); ++link) {
      if (graph.links()[link].a.is_host()) continue;
      INFO("link " << link);
      const CheckReport report = checked(graph, {.links = {link}, .switches = {}});
      CHECK(report.passed());
      CHECK(report.routes_broken == 0);
    }
    for (int switch_ = tree.columns(0); switch_ < tree.switches(); ++switch_) {
      INFO("switch " << switch_);
      const CheckReport report = checked(graph, {.links = {}, .switches = {switch_}});
      CHECK(report.passed());
      CHECK(report.routes_broken == 0);
    }
  }
}

TEST_CASE("a leaf switch that fails takes its own hosts with it, and no others") {
  // 16 hosts make 16 * 15 pairs, the 12 of the other leaves 12 * 11.
  CHECK(checked(fat_tree(4, 2), {.links = {}, .switches = {2}}).pairs_unserved == 16 * 15 - 12 * 11);
}

TEST_CASE(
    "whatever has failed, exactly the pairs that some way still joins are served, and no route runs into a hole") {
  const Graph graph = fat_tree(3, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  Random random(1, "test.fat_tree_detours");
  for (int round = 0; round < 200; ++round) {
    Failures failures;
    const std::uint64_t cuts = 1 + random.below(static_cast<std::uint64_t>(graph.link_count()) / 2);
    for (std::uint64_t i = 0; i < cuts; ++i)
      failures.links.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(graph.link_count()))));
    const Graph working = working_part(graph, failures);
    const auto routing = fat_tree_adaptive(working, UpChoice::adaptive);
    const Ways ways(working, tree);
    int wrong = 0;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination)
        if (source != destination)
          wrong += (routing->alternatives(source, destination) == 1) != ways.join(source, destination);
    CHECK(wrong == 0);
    CHECK(check(graph, *routing, {.failures = failures}).routes_broken == 0);
  }
}
