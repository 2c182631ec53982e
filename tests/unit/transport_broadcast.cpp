/// Hardware broadcast: switches copy a packet to a range of ports, and combine the acknowledgements.

#include <catch2/catch.hpp>
#include <set>

#include "tests/support/hand_network.hpp"
#include "tests/support/random_topology.hpp"
#include "topologies/fat_tree.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 25, R = 7, T_a = 40, hop = 13;

net::ChannelRules cable() {
  net::ChannelRules rules = link_rules(T, D);
  rules.control_hop = Time{hop};
  return rules;
}

/// A root (switch 2) over two leaves with two hosts each; leaf ports 0 and 1 lead to hosts, 2 up.
Case two_levels(const net::NicRules& nic_rules) {
  Case one;
  for (int s = 0; s < 3; ++s) one.wiring.add_switch("s" + std::to_string(s), s < 2 ? 3 : 2, {.routing = Time{R}});
  for (int h = 0; h < 4; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), nic_rules);
    one.wiring.connect(nic(h), port(h / 2, h % 2), cable(), cable());
  }
  for (int s = 0; s < 2; ++s) one.wiring.connect(port(s, 2), port(2, s), cable(), cable());
  return one;
}

std::size_t broadcast(Case& one, std::int64_t ps, int flits) {
  const std::size_t index = ship(one, ps, 0, 0, flits, by_ports({2}));
  one.shipments[index].copies = 4;
  one.shipments[index].descend = [](int) { return std::pair{0, 2}; };
  return index;
}

/// Each host of low..high once.
void check_hosts(const Outcome& outcome, int low, int high) {
  std::set<int> hosts;
  for (const auto& arrival : outcome.arrivals) hosts.insert(arrival.host);
  CHECK(outcome.deliveries == high - low + 1);
  CHECK(static_cast<int>(hosts.size()) == high - low + 1);
  CHECK(*hosts.begin() == low);
  CHECK(*hosts.rbegin() == high);
}

}  // namespace

TEST_CASE("a broadcast over two levels reaches every host after four channels and three switches") {
  for (const int flits : {1, 2, 40}) {
    Case one = two_levels({});
    broadcast(one, 0, flits);
    in_both(one, [&](const Result& result) {
      check_hosts(result.outcomes[0], 0, 3);
      for (const auto& arrival : result.outcomes[0].arrivals) CHECK(arrival.ps == 4 * D + 3 * R + (flits - 1) * T);
      CHECK(result.outcomes[0].sent_ps == flits * T);
      CHECK(result.left_over == 0);
    });
  }
}

TEST_CASE("the circuit of a broadcast closes when the acknowledgement of the last branch has come") {
  constexpr int flits = 40;
  net::NicRules rules;
  rules.circuit = true;
  rules.acknowledge = Time{T_a};
  Case one = two_levels(rules);
  constexpr std::int64_t slow = 900;
  one.wiring.nics[2].rules.acknowledge = Time{slow};
  broadcast(one, 0, flits);
  const std::int64_t delivered = 4 * D + 3 * R + (flits - 1) * T;
  in_both(one, [&](const Result& result) {
    check_hosts(result.outcomes[0], 0, 3);
    CHECK(result.outcomes[0].delivered_ps == delivered);
    CHECK(result.outcomes[0].sent_ps == delivered + slow + 4 * hop + T);
    CHECK(result.left_over == 0);
  });
}

TEST_CASE("a busy branch delays itself, and the others no more than their buffers hold") {
  // Host 3's cable is taken by host 2's packet of 100 flits until 25 + 7 + 1000. Buffers of 4096 hold the whole
  // broadcast of 40 flits, so the others get it as if alone.
  Case one = two_levels({});
  ship(one, 0, 2, 3, 100, by_ports({1}));
  broadcast(one, 0, 40);
  in_both(one, [&](const Result& result) {
    const std::int64_t alone = 4 * D + 3 * R + 39 * T;
    for (const auto& arrival : result.outcomes[1].arrivals)
      CHECK(arrival.ps == (arrival.host == 3 ? D + R + 1000 + D + 39 * T : alone));
  });
  // With 8 places a flit leaves the leaf when both branches have taken it: host 2 gets 8 flits, the rest with host 3.
  for (auto& channel : one.wiring.channels) channel.rules.flow = net::Credits{.buffer = 8};
  in_both(one, [&](const Result& result) {
    std::int64_t at_2 = -1, at_3 = -2;
    for (const auto& arrival : result.outcomes[1].arrivals)
      (arrival.host == 2 ? at_2 : arrival.host == 3 ? at_3 : at_2) = arrival.host >= 2 ? arrival.ps : at_2;
    CHECK(at_3 == D + R + 1000 + D + 39 * T);
    CHECK(at_2 > at_3 - 9 * T);
    CHECK(at_2 <= at_3);
  });
}

TEST_CASE("a broadcast with a failed branch ends: the switch that cannot copy it to all discards it") {
  for (const bool circuit : {false, true}) {
    net::NicRules rules;
    rules.circuit = circuit;
    Case one = two_levels(rules);
    for (auto& channel : one.wiring.channels)
      if (channel.to.kind == net::Terminal::Kind::nic && channel.to.unit == 3) channel.failed = true;
    broadcast(one, 0, 40);
    const auto next = ship(one, 1'000'000, 0, 1, 4, by_ports({1}));
    in_both(one, [&](const Result& result) {
      check_hosts(result.outcomes[0], 0, 1);  // those of the other leaf
      CHECK(result.outcomes[0].lost);
      CHECK(result.outcomes[next].deliveries == 1);
      CHECK(result.left_over == 0);
      CHECK(result.deadlock.empty());
    });
  }
}

TEST_CASE("broadcasts of a fat tree reach their range once, at the time of the longest way up and down") {
  const topologies::Graph graph = topologies::fat_tree(4, 3);
  const topologies::KaryTree tree = topologies::fat_tree_geometry(graph);
  constexpr int flits = 20;
  for (const auto& [source, low, high] : {std::tuple{0, 0, 63}, {5, 17, 42}, {63, 60, 63}, {20, 21, 21}, {7, 3, 12}}) {
    net::NicRules rules;
    rules.circuit = true;
    Case one;
    one.wiring = wire(graph, {.routing = Time{R}}, rules, cable);
    one.shipments.push_back(fat_tree_broadcast(graph, source, low, high, flits));
    const int level =
        std::max({tree.nca_level(source, low), tree.nca_level(source, high), tree.nca_level(low, high), 0});
    const int switches = 2 * level + 1;
    CAPTURE(source, low, high);
    in_both(one, [&, low = low, high = high](const Result& result) {
      check_hosts(result.outcomes[0], low, high);
      for (const auto& arrival : result.outcomes[0].arrivals)
        CHECK(arrival.ps == (switches + 1) * D + switches * R + (flits - 1) * T);
      CHECK(result.left_over == 0);
    });
  }
}

TEST_CASE("worm equals flit: broadcasts among unicasts on fat trees") {
  int delivered = 0;
  for (const bool circuits : {false, true})
    for (int seed = 0; seed < 100; ++seed) {
      Random random{static_cast<std::uint64_t>(seed), "broadcasts"};
      const Case one = fat_tree_case(random, {.circuits = circuits, .broadcasts = true});
      const Result flit = run_case(one, net::Fidelity::flit);
      const Result worm = run_case(one, net::Fidelity::worm);
      INFO("case " << seed << ": " << one.description);
      REQUIRE(flit.outcomes == worm.outcomes);
      REQUIRE(flit.left_over == worm.left_over);
      for (std::size_t i = 0; i < one.shipments.size(); ++i) {
        REQUIRE(flit.outcomes[i].deliveries <= one.shipments[i].copies);
        delivered += flit.outcomes[i].deliveries;
      }
    }
  CHECK(delivered > 10'000);
}
