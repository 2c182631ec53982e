#include "topologies/routing/up_down_tables.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "platform/core/random.hpp"
#include "topologies/clos.hpp"
#include "topologies/failures.hpp"
#include "topologies/grid.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/clos_grouped.hpp"
#include "topologies/routing/dimension_order.hpp"

using namespace sanvp;
using namespace sanvp::topologies;

namespace {

int link_at(const Graph& graph, int switch_, int port) { return graph.switches()[switch_].link_at[port]; }

CheckReport checked(const Graph& graph, const Failures& failures, const UpDownTableOptions& options = {}) {
  const Graph working = working_part(graph, failures);
  return check(graph, *up_down_tables(working, options), {.failures = failures});
}

/// Ordered pairs of hosts that no working cables join.
std::int64_t pairs_apart(const Graph& working) {
  std::int64_t apart = 0;
  for (int host = 0; host < working.host_count(); ++host) {
    std::vector<bool> seen(working.switch_count());
    std::vector<int> reached;
    const auto reach = [&](End end) {
      if (!end.is_switch() || seen[end.index]) return;
      seen[end.index] = true;
      reached.push_back(end.index);
    };
    reach(working.peer(End::host(host)));
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (int port = 0; port < static_cast<int>(working.switches()[reached[i]].link_at.size()); ++port)
        reach(working.peer(End::switch_(reached[i], port)));
    for (int other = 0; other < working.host_count(); ++other) {
      const End at = working.peer(End::host(other));
      apart += other != host && (!at.is_switch() || !seen[at.index]) ? 1 : 0;
    }
  }
  return apart;
}

Failures random_failures(const Graph& graph, Random& random) {
  Failures failures;
  for (auto left = random.below(12); left > 0; --left)
    failures.links.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(graph.link_count()))));
  for (auto left = random.below(3); left > 0; --left)
    failures.switches.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(graph.switch_count()))));
  return failures;
}

void require_all_that_is_joined(const Graph& graph, const Failures& failures, const UpDownTableOptions& options) {
  const CheckReport report = checked(graph, failures, options);
  CHECK(report.deadlock_free());
  CHECK(report.pairs_unserved == pairs_apart(working_part(graph, failures)));
  CHECK(report.routes_broken == 0);
}

}  // namespace

TEST_CASE("on a whole Clos the tables are those of grouped routing") {
  for (const int nodes : {64, 128, 512}) {
    const Graph graph = clos(nodes);
    const auto grouped = clos_grouped(graph, {});
    const auto tables = up_down_tables(graph);
    Route expected;
    Route route;
    for (int source = 0; source < nodes; source += 7)
      for (int destination = 0; destination < nodes; ++destination) {
        if (source == destination) continue;
        grouped->route(source, destination, 0, expected);
        tables->route(source, destination, 0, route);
        REQUIRE(route == expected);
      }
  }
}

TEST_CASE("with any failures, tables serve every two hosts that cables join, and cannot deadlock") {
  Random random(1, "up_down_tables");
  for (int i = 0; i < 40; ++i) {
    const bool grouped = i % 2 == 0;
    const UpDownTableOptions options{.grouped_up = grouped, .grouped_down = grouped};
    for (const Graph& graph : {clos(16, 8), clos(32, 8), clos(64, 8), grid({3, 4}, 2, 2), grid({5, 3}, 1, 1)})
      require_all_that_is_joined(graph, random_failures(graph, random), options);
  }
}

TEST_CASE("a group keeps its failed cables while another leads to the same switch, and the way up excludes dead ends") {
  // Leaves 0..3 have ports 4..7 up: 4 and 5 to switch 4, 6 and 7 to switch 5, which has ports 2i and 2i + 1 to leaf i.
  const Graph graph = clos(16, 8);
  Failures failures{.links = {link_at(graph, 0, 4)}};
  Route route;
  // {first port, ports} of the leaf's and of the centre's step
  const auto steps = [&](int source, int destination) {
    const Graph working = working_part(graph, failures);
    up_down_tables(working)->route(source, destination, 0, route);
    return std::vector<int>{route.steps[0].port, route.steps[0].ports, route.steps[1].port, route.steps[1].ports};
  };
  CHECK(steps(0, 5) == std::vector{4, 4, 2, 2});
  CHECK(steps(5, 0) == std::vector{4, 4, 0, 2});
  // With both gone, switch 4 leads no more to leaf 0: all others climb to 5, wherever they go.
  failures.links.push_back(link_at(graph, 0, 5));
  CHECK(steps(5, 0) == std::vector{6, 2, 0, 2});
  CHECK(steps(5, 12) == std::vector{6, 2, 6, 2});
}

TEST_CASE("routings of STC104s and grids fall back on tables only where some direction has lost its last cable") {
  const Graph graph = grid({2, 2}, 1, 2);
  // Switch 0 is joined to 1 along x, to 2 along y; ports 0 host, then per axis up and down two each.
  Failures failures;
  for (int port = 1; port < static_cast<int>(graph.switches()[0].link_at.size()); ++port)
    if (graph.peer(End::switch_(0, port)).is_switch() && graph.peer(End::switch_(0, port)).index == 1)
      failures.links.push_back(link_at(graph, 0, port));
  REQUIRE(failures.links.size() == 2);
  const auto route_from_0_to_1 = [&] {
    const Graph working = working_part(graph, failures);
    Route route;
    dimension_order(working, {})->route(0, 1, 0, route);
    return route.steps.size();
  };
  const int last = failures.links.back();
  CHECK(route_from_0_to_1() == 4);  // by way of 2 and 3
  failures.links.pop_back();
  CHECK(route_from_0_to_1() == 2);
  failures.links = {last};
  CHECK(route_from_0_to_1() == 2);
}

TEST_CASE("universal routing draws from the centres that still lead to all leaves") {
  const Graph graph = clos(16, 8);
  const Failures failures{.switches = {4}};
  const Graph working = working_part(graph, failures);
  const auto routing = clos_grouped(working, {.up = ClosUp::universal});
  REQUIRE(routing->alternatives(0, 5) == 1);
  Route route;
  routing->route(0, 5, 0, route);
  CHECK(route.steps.front().port == 6);
  CHECK(check(graph, *routing, {.failures = failures}).passed());
}
