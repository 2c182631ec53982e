/// `check` on the regular machines: distances in closed form, and verdicts known beforehand.
#include <catch2/catch.hpp>

#include "topologies/clos.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/clos_grouped.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"
#include "topologies/torus.hpp"

using namespace sanvp::topologies;

TEST_CASE("check finds the distances of FACTS in the 64-node fat tree of QsNET") {
  const Graph graph = fat_tree(4, 3);
  const CheckReport report = check(graph, *fat_tree_adaptive(graph, UpChoice::adaptive), {.virtual_channels = 2});
  CHECK(report.passed());
  // 3 others share the leaf switch, 12 meet one level up, 48 at the top: 2, 4 and 6 links.
  CHECK(report.lengths().histogram == std::vector<std::int64_t>{0, 0, 64 * 3, 0, 64 * 12, 0, 64 * 48});
}

TEST_CASE("check proves the 1024-node adaptive fat tree, every pair and every choice") {
  const Graph graph = fat_tree(4, 5);
  const CheckReport report = check(graph, *fat_tree_adaptive(graph, UpChoice::adaptive), {.virtual_channels = 2});
  CHECK(report.passed());
  CHECK_FALSE(report.sampled());
  CHECK(report.lengths().diameter() == 10);
  // All waits that adaptive up, deterministic down routing permits on two virtual channels (factor 4). A switch's down
  // port is entered from 3 other down ports and, below the top, from 4 up ports; its up ports each from 4 down ports.
  const int switches_per_level = 256, levels = 5, ports = 4;
  const int turns = levels * switches_per_level * ports * (ports - 1);
  const int down = (levels - 1) * switches_per_level * ports * ports;
  const int up = (levels - 1) * switches_per_level * ports * ports;
  CHECK(report.dependencies == 4 * (turns + down + up));
}

TEST_CASE("check samples a machine of 16,384 nodes") {
  const Graph graph = fat_tree(4, 7);
  const CheckReport report =
      check(graph, *fat_tree_adaptive(graph, UpChoice::adaptive), {.virtual_channels = 2, .work = 1'000'000});
  CHECK(report.passed());
  CHECK(report.sampled());
  CHECK(report.pairs_checked % (graph.host_count() - 1) == 0);
  CHECK(report.lengths().diameter() == 14);
}

TEST_CASE("a torus needs the dateline's second virtual channel, and check tells them apart") {
  const Graph graph = torus({4, 4}, 2, 1);
  const auto routing = dimension_order(graph);
  CHECK(check(graph, *routing, {.virtual_channels = 2}).passed());
  const CheckReport report = check(graph, *routing, {.virtual_channels = 1});
  CHECK(report.pairs_unserved > 0);
  CHECK_FALSE(report.passed());
}

TEST_CASE("a Clos serves pairs over the uplinks that are left") {
  const Graph graph = clos(64);
  const auto routing = clos_grouped(graph, {});
  CHECK(check(graph, *routing).passed());
  const int first_uplink = graph.switches()[0].link_at[clos_sizes(graph).up_port(0)];
  const CheckReport report = check(graph, *routing, {.failures = {.links = {first_uplink}}});
  CHECK(report.passed());  // there are parallel cables both ways
  CHECK(report.dependencies < check(graph, *routing).dependencies);
}
