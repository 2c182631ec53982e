#include <catch2/catch.hpp>
#include <functional>
#include <map>
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
  CHECK(around.steps[0].port != 4 + 1);
  CHECK(around.steps[0].port >= 4);
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

namespace {

/// How many of the pairs whose routes name all their up ports take each ascent.
std::map<std::vector<int>, int> ascents(const Graph& graph, const Failures& cut, UpChoice choice,
                                        const std::function<bool(int source, int destination)>& counts) {
  const Graph working = working_part(graph, cut);
  const auto routing = fat_tree_adaptive(working, choice);
  const KaryTree tree = fat_tree_geometry(graph);
  std::map<std::vector<int>, int> pairs;
  Route route;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination || !counts(source, destination)) continue;
      routing->route(source, destination, 0, route);
      std::vector<int> ups;
      for (int level = 0; level < tree.nca_level(source, destination); ++level)
        ups.push_back(route.steps[level].ports > 1 ? -1 : route.steps[level].port - tree.arity);
      ++pairs[ups];
    }
  return pairs;
}

}  // namespace

TEST_CASE("pairs that may not climb adaptively are spread evenly over the ascents that are left") {
  const Graph graph = fat_tree(4, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  // Top switch 6, replica 2 of the second level under it, loses its cable to hosts 16 to 31.
  const Failures cut{.links = {link_at(graph, tree.switch_at(2, 6), 1)}, .switches = {}};
  const auto to_cut = [](int source, int destination) { return source / 16 != 1 && destination / 16 == 1; };

  // 48 x 16 pairs, 15 ascents: 4 by each up port of a leaf, where any goes on, but 3 by port 2, which name the next
  // port, too.
  const auto all = ascents(graph, cut, UpChoice::adaptive, to_cut);
  const std::vector<std::vector<int>> left{{0, -1}, {1, -1}, {2, 0}, {2, 2}, {2, 3}, {3, -1}};
  REQUIRE(all.size() == left.size());
  for (const std::vector<int>& ups : left) {
    const double share = 48 * 16 / 15.0 * (ups[1] < 0 ? 4 : 1);
    INFO(ups[0] << " " << ups[1]);
    CHECK(all.at(ups) == Approx(share).margin(share / 20));
  }

  // The same from the hosts of one leaf switch: of 64 pairs 12.8 by port 2, and 17.1 by each other one.
  std::map<int, int> by_port;
  for (const auto& [ups, pairs] : ascents(graph, cut, UpChoice::adaptive, [&](int source, int destination) {
         return source / 4 == 10 && to_cut(source, destination);
       }))
    by_port[ups[0]] += pairs;
  for (int port = 0; port < 4; ++port) CHECK(by_port[port] == Approx(port == 2 ? 12.8 : 17.1).margin(1.5));

  // And of a permutation, complement: 16 pairs, 4 by each up port of a leaf.
  by_port.clear();
  for (const auto& [ups, pairs] : ascents(graph, cut, UpChoice::adaptive, [&](int source, int destination) {
         return source == 63 - destination && to_cut(source, destination);
       }))
    by_port[ups[0]] += pairs;
  for (int port = 0; port < 4; ++port) CHECK(by_port[port] == Approx(4).margin(1));
}

TEST_CASE("with fixed ascents only pairs whose own one is lost take others") {
  const Graph graph = fat_tree(4, 3);
  const KaryTree tree = fat_tree_geometry(graph);
  const Failures cut{.links = {link_at(graph, tree.switch_at(2, 6), 1)}, .switches = {}};  // top 6: ascent 2, 1
  Route whole, around;
  const auto before = fat_tree_adaptive(graph, UpChoice::fixed);
  const Graph working = working_part(graph, cut);
  const auto after = fat_tree_adaptive(working, UpChoice::fixed);
  std::map<std::pair<int, int>, int> moved;
  for (int source = 0; source < 64; ++source)
    for (int destination = 16; destination < 32; ++destination) {
      if (source / 16 == 1) continue;
      before->route(source, destination, 0, whole);
      after->route(source, destination, 0, around);
      const bool is_lost = destination % 4 == 2 && destination / 4 % 4 == 1;
      CHECK((whole == around) == !is_lost);
      if (is_lost) ++moved[{around.steps[0].port - 4, around.steps[1].port - 4}];
    }
  CHECK(moved.size() == 15);  // by the 48 sources of host 22, the only one that the lost ascent is for
  for (const auto& [ascent, pairs] : moved) CHECK(pairs <= 5);  // 3.2 on average
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

TEST_CASE("hosts that only a way down and up again joins are not served, and check says so") {
  const Graph graph = fat_tree(4, 2);
  Failures failures;  // leaf 0 keeps its cable to top switch 0 alone, and leaf 1 its cable to top switch 1
  for (int up = 0; up < 4; ++up) {
    if (up != 0) failures.links.push_back(link_at(graph, 0, 4 + up));
    if (up != 1) failures.links.push_back(link_at(graph, 1, 4 + up));
  }
  CheckReport report = checked(graph, failures);
  CHECK(report.deadlock_free());
  CHECK(report.pairs_unserved == 2 * 4 * 4);
  for (const std::string& example : report.examples)
    CHECK_THAT(example, Catch::Matchers::Contains("only by a way that goes up again after it went down"));

  failures.links.push_back(link_at(graph, 0, 4));  // now leaf 0 is alone
  report = checked(graph, failures);
  CHECK(report.pairs_unserved == 2 * 4 * 12);
  for (const std::string& example : report.examples)
    CHECK_THAT(example, Catch::Matchers::EndsWith("no cables that work join them"));
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
