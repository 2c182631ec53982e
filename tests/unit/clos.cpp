#include "topologies/clos.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "platform/core/error.hpp"
#include "tests/unit/tree_walk.hpp"
#include "topologies/routing/clos_grouped.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using namespace sanvp::topologies::test;
using Catch::Matchers::Contains;

namespace {

ClosRoutingOptions with(ClosUp up) {
  ClosRoutingOptions options;
  options.up = up;
  return options;
}

/// Pairs on which the walk of the interval tables and the direct computation differ.
int pairs_unlike_intervals(const Graph& graph, const ClosRoutingOptions& options) {
  const auto direct = clos_grouped(graph, options);
  const auto walked = interval_routing(graph, clos_intervals(graph, options));
  int unlike = 0;
  Route by_sum, by_table;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      direct->route(source, destination, 0, by_sum);
      walked->route(source, destination, 0, by_table);
      unlike += by_sum != by_table;
    }
  return unlike;
}

}  // namespace

TEST_CASE("Macrame's Clos networks have the switches that 32 ports allow") {
  struct Expected {
    int nodes, leaves, middles, centres, cables;
  };
  for (const Expected& expected : {Expected{64, 4, 0, 2, 8}, Expected{128, 8, 0, 4, 4}, Expected{256, 16, 0, 8, 2},
                                   Expected{512, 32, 0, 16, 1}, Expected{1024, 64, 64, 32, 8}}) {
    const ClosSizes sizes = ClosSizes::of_nodes(expected.nodes, 32, "test");
    CHECK(sizes.leaves == expected.leaves);
    CHECK(sizes.middles() == expected.middles);
    CHECK(sizes.centres == expected.centres);
    CHECK(sizes.cables == expected.cables);

    const Graph graph = clos(expected.nodes);
    CHECK(graph.host_count() == expected.nodes);
    CHECK(graph.switch_count() == expected.leaves + expected.middles + expected.centres);
    // Full bisection: as many cables at each stage as hosts.
    CHECK(links_of_class(graph, "host") == expected.nodes);
    CHECK(links_of_class(graph, "cable") == expected.nodes * (expected.middles > 0 ? 2 : 1));
    // No port is left over, so nothing smaller would do.
    for (int switch_ = 0; switch_ < graph.switch_count(); ++switch_) CHECK(cabled_ports(graph, switch_) == 32);
  }
}

TEST_CASE("a leaf has its hosts on ports 0..15 and adjacent groups of uplinks, in the order of the centres") {
  const Graph graph = clos(64);
  for (int host = 0; host < 64; ++host) CHECK(graph.peer(End::host(host)) == End::switch_(host / 16, host % 16));
  for (int leaf = 0; leaf < 4; ++leaf)
    for (int uplink = 0; uplink < 16; ++uplink)
      CHECK(graph.peer(End::switch_(leaf, 16 + uplink)) == End::switch_(4 + uplink / 8, 8 * leaf + uplink % 8));
}

TEST_CASE("in the five-stage Clos each middle reaches its pod's leaves once and each centre of its plane by 8 cables") {
  const Graph graph = clos(1024);
  for (int pod = 0; pod < 4; ++pod)
    for (int column = 0; column < 16; ++column) {
      const int middle = 64 + 16 * pod + column;
      for (int port = 0; port < 16; ++port)
        CHECK(graph.peer(End::switch_(middle, port)) == End::switch_(16 * pod + port, 16 + column));
      for (int uplink = 0; uplink < 16; ++uplink)
        CHECK(graph.peer(End::switch_(middle, 16 + uplink)) ==
              End::switch_(128 + 2 * column + uplink / 8, 8 * pod + uplink % 8));
    }
}

TEST_CASE("15 of the other hosts share a leaf, the rest is three switches away, or five beyond a pod") {
  for (const int nodes : {64, 128, 256, 512, 1024}) {
    const Graph graph = clos(nodes);
    const auto routing = clos_grouped(graph, with(ClosUp::adaptive));
    std::map<std::size_t, int> hosts_by_switches;
    Route route;
    for (int destination = 0; destination < nodes; ++destination) {
      if (destination == 17) continue;
      routing->route(17, destination, 0, route);
      ++hosts_by_switches[route.steps.size()];
    }
    if (nodes < 1024)
      CHECK(hosts_by_switches == std::map<std::size_t, int>{{1, 15}, {3, nodes - 16}});
    else
      CHECK(hosts_by_switches == std::map<std::size_t, int>{{1, 15}, {3, 240}, {5, 768}});
  }
}

TEST_CASE("every Clos route ends at its destination whatever cables of a group are taken") {
  // Three stages and five, also of small switches and with an odd number of centres or cables.
  for (const auto& [nodes, radix] :
       {std::pair{64, 32}, std::pair{8, 4}, std::pair{16, 4}, std::pair{36, 12}, std::pair{144, 12}}) {
    const Graph graph = clos(nodes, radix);
    for (const ClosUp up : {ClosUp::adaptive, ClosUp::fixed, ClosUp::universal})
      CHECK(misrouted_pairs(graph, *clos_grouped(graph, with(up))) == 0);
  }
  const Graph large = clos(1024);
  const int one_per_pod = 341;  // sources 0, 341, 682 and 1023
  for (const ClosUp up : {ClosUp::adaptive, ClosUp::fixed})
    CHECK(misrouted_pairs(large, *clos_grouped(large, with(up)), one_per_pod) == 0);
}

TEST_CASE("with one virtual channel no cycle of waiting can form in a Clos, universal routing included") {
  for (const Graph& graph : {clos(64), clos(16, 4)})
    for (const ClosUp up : {ClosUp::adaptive, ClosUp::fixed, ClosUp::universal})
      CHECK(WaitsFor(graph, *clos_grouped(graph, with(up)), 1).acyclic());
}

TEST_CASE("an adaptive way up is the group of all uplinks, and each way down one group of cables") {
  const Graph graph = clos(128);
  Route route;
  clos_grouped(graph, with(ClosUp::adaptive))->route(3, 100, 0, route);  // leaf 0 to leaf 6, port 4
  REQUIRE(route.steps.size() == 3);
  CHECK(route.steps[0] == Step{16, 16});
  CHECK(route.steps[1] == Step{6 * 4, 4});
  CHECK(route.steps[2] == Step{4, 1});
}

TEST_CASE("fixed cables down have equal shares of a leaf's hosts, or a pod's, in ascending order") {
  const auto fixed_down = [] {
    ClosRoutingOptions options = with(ClosUp::fixed);
    options.fixed_down = true;
    return options;
  }();
  Route route;
  clos_grouped(clos(128), fixed_down)->route(3, 100, 0, route);  // 4 cables to leaf 6: port 4 is in the second quarter
  CHECK(route.steps[1] == Step{6 * 4 + 1, 1});
  clos_grouped(clos(1024), fixed_down)->route(3, 1000, 0, route);  // 8 cables to pod 3: rank 232 of 256
  CHECK(route.steps[2] == Step{3 * 8 + 7, 1});
  for (const Graph& graph : {clos(64), clos(8, 4), clos(36, 12), clos(144, 12)}) {
    CHECK(misrouted_pairs(graph, *clos_grouped(graph, fixed_down)) == 0);
    CHECK(pairs_unlike_intervals(graph, fixed_down) == 0);
  }
}

TEST_CASE("fixed uplinks have equal shares of the destinations outside a leaf, and outside a pod") {
  for (const int nodes : {64, 256, 1024}) {
    const Graph graph = clos(nodes);
    const auto routing = clos_grouped(graph, with(ClosUp::fixed));
    std::map<int, int> by_leaf_uplink, by_middle_uplink;
    Route route;
    const int source = 20;
    for (int destination = 0; destination < nodes; ++destination) {
      if (destination / 16 == source / 16) continue;
      routing->route(source, destination, 0, route);
      ++by_leaf_uplink[route.steps[0].port];
      if (route.steps.size() == 5) ++by_middle_uplink[route.steps[1].port];
    }
    REQUIRE(by_leaf_uplink.size() == 16);
    for (const auto& [port, destinations] : by_leaf_uplink) CHECK(destinations == (nodes - 16) / 16);
    CHECK(by_middle_uplink.size() == (nodes == 1024 ? 16 : 0));
    for (const auto& [port, destinations] : by_middle_uplink) CHECK(destinations == (1024 - 256) / 16);
  }
}

TEST_CASE("universal routing passes the centre that the alternative names, with a header of its own as far as there") {
  for (const auto& [nodes, centres, first_centre, steps] : {std::tuple{64, 2, 4, 3}, std::tuple{1024, 32, 128, 5}}) {
    const Graph graph = clos(nodes);
    const auto routing = clos_grouped(graph, with(ClosUp::universal));
    CHECK(routing->random_alternative());
    Route route;
    for (const int destination : {1, 40, nodes - 1}) {  // a host of the source's leaf, of another, and of the last
      CHECK(routing->alternatives(0, destination) == centres);
      for (int centre = 0; centre < centres; ++centre) {
        routing->route(0, destination, centre, route);
        REQUIRE(static_cast<int>(route.steps.size()) == steps);
        const int top = steps / 2;  // the step of the highest switch
        CHECK(graph.channel_target(route_channels(graph, 0, route)[top]).index == first_centre + centre);
        for (int i = 0; i < steps; ++i) {
          CHECK(route.steps[i].prepend == (i == 0 ? 2 : 0));
          CHECK(route.steps[i].strip == (i == top ? 2 : 0));
        }
      }
    }
  }
  const Graph graph = clos(64);
  CHECK_FALSE(clos_grouped(graph, with(ClosUp::adaptive))->random_alternative());
  CHECK(clos_grouped(graph, with(ClosUp::adaptive))->alternatives(0, 63) == 1);
  CHECK(clos_grouped(graph, with(ClosUp::universal))->alternatives(5, 5) == 0);
}

TEST_CASE("only the last switch deletes the header, and only where it is asked to") {
  const Graph graph = clos(64);
  ClosRoutingOptions options;
  Route route;
  clos_grouped(graph, options)->route(0, 63, 0, route);
  for (const Step& step : route.steps) CHECK(step.strip == 0);
  options.delete_header = true;
  options.header_bytes = 1;
  clos_grouped(graph, options)->route(0, 63, 0, route);
  CHECK(route.steps[0].strip == 0);
  CHECK(route.steps[1].strip == 0);
  CHECK(route.steps[2].strip == 1);
}

TEST_CASE("walking the interval tables of a Clos gives the routes that are computed directly") {
  ClosRoutingOptions deleting;
  deleting.delete_header = true;
  for (const auto& [nodes, radix] : {std::pair{64, 32}, std::pair{16, 4}, std::pair{36, 12}, std::pair{144, 12}}) {
    const Graph graph = clos(nodes, radix);
    CHECK(pairs_unlike_intervals(graph, with(ClosUp::adaptive)) == 0);
    CHECK(pairs_unlike_intervals(graph, with(ClosUp::fixed)) == 0);
    CHECK(pairs_unlike_intervals(graph, deleting) == 0);
  }
}

TEST_CASE("an STC104 leaf holds one interval per host, and one or two for the group of uplinks") {
  const Graph graph = clos(64);
  const IntervalLabelling grouped = clos_intervals(graph, with(ClosUp::adaptive));
  CHECK(grouped.tables[0].intervals().size() == 16 + 1);  // the labels outside all lie above
  CHECK(grouped.tables[1].intervals().size() == 16 + 2);  // on both sides
  CHECK(grouped.tables[1].intervals().front() == Interval{0, 16, 16, 16});
  CHECK(grouped.tables[1].intervals().back() == Interval{32, 64, 16, 16});
  CHECK(grouped.tables[4].intervals() ==
        std::vector<Interval>{{0, 16, 0, 8}, {16, 32, 8, 8}, {32, 48, 16, 8}, {48, 64, 24, 8}});
  const IntervalLabelling fixed = clos_intervals(graph, with(ClosUp::fixed));
  // Three labels each: the sixth uplink's are cut in two by the leaf's own, 15 before and 32, 33 behind.
  CHECK(fixed.tables[1].intervals().size() == 16 + 17);
  CHECK(fixed.tables[1].intervals()[5] == Interval{15, 16, 21, 1});
  CHECK(fixed.tables[1].intervals()[22] == Interval{32, 34, 21, 1});
}

TEST_CASE("impossible Clos networks are refused with the sizes that are possible") {
  CHECK_THROWS_WITH(clos(65), Contains("32, 64, 128, 256, 512, 1024, 2048, 4096, 8192"));
  for (const int nodes : {-64, 0, 16, 48, 96, 768, 1040, 16384, 1 << 30}) CHECK_THROWS_AS(clos(nodes), UserError);
  for (const int radix : {-32, 0, 2, 31, 1 << 20}) CHECK_THROWS_AS(clos(64, radix), UserError);
}

TEST_CASE("the Clos routing refuses other graphs, and universal routing has no interval tables") {
  Graph graph;
  CHECK_THROWS_WITH(clos_grouped(graph, {}), Contains("topology 'custom'"));
  CHECK_THROWS_WITH(clos_intervals(clos(64), with(ClosUp::universal)), Contains("clos_grouped"));
}
