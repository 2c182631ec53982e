#include "topologies/irregular.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "platform/core/error.hpp"
#include "tests/unit/core_support.hpp"
#include "topologies/text_graph.hpp"

using namespace sanvp;
using namespace sanvp::topologies;
using Catch::Matchers::Contains;
using sanvp::test::complaint;

namespace {

/// Ports of switches that hold no cable.
int free_ports(const Graph& graph) {
  int free = 0;
  for (const auto& node : graph.switches())
    free += static_cast<int>(std::count(node.link_at.begin(), node.link_at.end(), -1));
  return free;
}

bool is_simple(const Graph& graph) {
  std::set<std::pair<int, int>> joined;
  for (const Link& link : graph.links()) {
    if (!link.a.is_switch() || !link.b.is_switch()) continue;
    if (link.a.index == link.b.index || !joined.insert(std::minmax(link.a.index, link.b.index)).second) return false;
  }
  return true;
}

int reached_from_switch_0(const Graph& graph) {
  std::set<int> reached{0};
  std::vector<int> pending{0};
  while (!pending.empty()) {
    const int at = pending.back();
    pending.pop_back();
    for (int port = 0; port < static_cast<int>(graph.switches()[at].link_at.size()); ++port)
      if (const End next = graph.peer(End::switch_(at, port)); next.is_switch() && reached.insert(next.index).second)
        pending.push_back(next.index);
  }
  return static_cast<int>(reached.size());
}

}  // namespace

TEST_CASE("irregular networks obey the three restrictions of the Myrinet paper and fill every port") {
  for (const int switches : {8, 16, 32, 64}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Graph graph = irregular({.switches = switches}, seed);
      REQUIRE(graph.switch_count() == switches);
      REQUIRE(graph.host_count() == 4 * switches);
      REQUIRE(graph.link_count() == 4 * switches + 4 * switches / 2);
      REQUIRE(free_ports(graph) == 0);
      REQUIRE(is_simple(graph));
      REQUIRE(reached_from_switch_0(graph) == switches);
      for (int host = 0; host < graph.host_count(); ++host)
        REQUIRE(graph.peer(End::host(host)) == End::switch_(host / 4, host % 4));
    }
  }
}

TEST_CASE("an irregular network depends only on its seed") {
  CHECK(to_text(irregular({.switches = 16}, 7)) == to_text(irregular({.switches = 16}, 7)));
  CHECK(to_text(irregular({.switches = 16}, 7)) != to_text(irregular({.switches = 16}, 8)));
}

TEST_CASE("irregular networks of few switches are as full as single links allow") {
  const auto links = [](int switches, int ports) {
    const Graph graph = irregular({.switches = switches, .hosts_per_switch = 1, .ports = ports}, 3);
    CHECK(is_simple(graph));
    CHECK(reached_from_switch_0(graph) == switches);
    return graph.link_count() - switches;
  };
  CHECK(links(1, 8) == 0);
  CHECK(links(2, 8) == 1);
  CHECK(links(3, 8) == 3);   // a triangle
  CHECK(links(6, 6) == 15);  // five ports each: every pair is joined
  CHECK(links(2, 2) == 1);
  CHECK(links(7, 3) == 7);   // two ports each: one ring
  CHECK(links(7, 4) == 10);  // 21 ends of cables: one port stays free
}

TEST_CASE("irregular networks have as many cables between switches as they are given") {
  for (const int cables : {7, 8, 12, 16}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Graph graph = irregular({.switches = 8, .cables = cables}, seed);
      REQUIRE(graph.link_count() == 4 * 8 + cables);
      REQUIRE(free_ports(graph) == 2 * (16 - cables));
      REQUIRE(is_simple(graph));
      REQUIRE(reached_from_switch_0(graph) == 8);
    }
  }
  CHECK(to_text(irregular({.switches = 8, .cables = 16}, 3)) == to_text(irregular({.switches = 8}, 3)));
}

TEST_CASE("irregular networks that cannot be connected are refused") {
  const auto of = [](IrregularSizes sizes) { return complaint([&] { irregular(sizes, 1); }); };
  CHECK_THAT(of({.switches = 2, .hosts_per_switch = 8, .ports = 8}), Contains("0 ports per switch cannot connect 2"));
  CHECK_THAT(of({.switches = 3, .hosts_per_switch = 7, .ports = 8}), Contains("1 ports per switch cannot connect 3"));
  CHECK_THAT(of({.switches = 3, .hosts_per_switch = 9, .ports = 8}), Contains("9 hosts on a switch of 8 ports"));
  CHECK_THAT(of({.switches = 0}), Contains("0 switches"));
  CHECK_THAT(of({.switches = 1 << 20}), Contains("1048576 switches"));
  CHECK_THAT(of({.switches = 4, .hosts_per_switch = -1}), Contains("-1 hosts"));
  CHECK_THAT(of({.switches = 8, .cables = 6}), Contains("6 cables cannot connect 8 switches"));
  CHECK_THAT(of({.switches = 8, .cables = 17}), Contains("ports permit 16 cables between switches, not 17"));
}
