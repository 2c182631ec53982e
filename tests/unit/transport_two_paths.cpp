/// Packets with two paths, of which the first switch takes one by its queues (TIMING.md, "Two paths").

#include <catch2/catch.hpp>
#include <initializer_list>

#include "tests/support/difference.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;
constexpr int sources = 5;                                         // hosts of switch 0, at its ports 0..4
constexpr int straight = 5, round_about = 6;                       // its ports to switch 1 and to switch 2
constexpr int goal = 5, other_goal = 6, blocks = 7, blocks_2 = 8;  // hosts of switch 1, at its ports 2..5
constexpr int blocks_detour = 9;                                   // host of switch 2
constexpr int long_flits = 3000;                                   // it holds what it has got

/// Switch 0 reaches switch 1 straight, and by way of switch 2.
Case triangle(int virtual_channels = 1) {
  net::ChannelRules cable = link_rules(T, D);
  cable.virtual_channels = virtual_channels;
  Case one;
  one.wiring.looks_at_queues = true;
  one.wiring.add_switch("source", sources + 2, {});
  one.wiring.add_switch("goal", 6, {});
  one.wiring.add_switch("detour", 3, {});
  const auto host = [&](int number, int unit, int at) {
    one.wiring.add_nic("h" + std::to_string(number), {});
    one.wiring.connect(nic(number), port(unit, at), cable, cable);
  };
  for (int h = 0; h < sources; ++h) host(h, 0, h);
  for (const int h : {goal, other_goal, blocks, blocks_2}) host(h, 1, h - goal + 2);
  host(blocks_detour, 2, 2);
  one.wiring.connect(port(0, straight), port(1, 0), cable, cable);
  one.wiring.connect(port(0, round_about), port(2, 0), cable, cable);
  one.wiring.connect(port(2, 1), port(1, 1), cable, cable);
  return one;
}

topologies::Route either(std::initializer_list<int> first, std::initializer_list<int> second) {
  topologies::Route route = by_ports(first);
  route.second = static_cast<std::uint16_t>(route.steps.size());
  const topologies::Route other = by_ports(second);
  route.steps.insert(route.steps.end(), other.steps.begin(), other.steps.end());
  return route;
}

topologies::Route to_goal() { return either({straight, 2}, {round_about, 1, 2}); }

constexpr std::int64_t start = 100'000;  // the first packet, which makes the switches count, has long arrived
constexpr std::int64_t later = start + 10'000;

/// Holds the way to the goal for 30 ns and lets a packet of `flits` wait for it behind the straight cable.
void queue_straight(Case& one, int flits) {
  ship(one, start, blocks, goal, long_flits, by_ports({2}));
  ship(one, start + 1000, 0, goal, flits, by_ports({straight, 2}));
}

void queue_round_about(Case& one, int flits) {
  ship(one, start, blocks_detour, other_goal, long_flits, by_ports({1, 3}));
  ship(one, start + 1000, 1, other_goal, flits, by_ports({round_about, 1, 3}));
}

/// How many packets take the cable to switch 2.
void check_detours(const Case& one, std::uint64_t expected) {
  const int cable = one.wiring.switches[0].out[round_about];
  in_both(one, [&](const Result& result) {
    CHECK(result.statistics[cable].packets == expected);
    CHECK(result.left_over == 0);
    for (const Outcome& outcome : result.outcomes) CHECK(outcome.deliveries == 1);
  });
}

Case with_first_packet(int virtual_channels = 1) {
  Case one = triangle(virtual_channels);
  ship(one, 0, 4, goal, 10, to_goal());
  return one;
}

}  // namespace

TEST_CASE("on an idle network a packet with two paths takes the first, as fast as if it had no other") {
  Case one = triangle();
  const int flits = 10;
  ship(one, 0, 0, goal, flits, to_goal());
  in_both(one, [&](const Result& result) { CHECK(result.outcomes[0].delivered_ps == 3 * D + (flits - 1) * T); });
  check_detours(one, 0);
}

TEST_CASE("a packet takes the second path where the queue of the first, times its cables, is longer") {
  Case one = with_first_packet();
  queue_straight(one, 20);
  ship(one, later, 2, goal, 10, to_goal());
  check_detours(one, 1);
}

TEST_CASE("the second path has two cables, so half of the first one's queue there is as bad, and a tie goes straight") {
  for (const int flits : {9, 10, 11}) {
    INFO(flits << " flits wait on the second path, 20 on the first");
    Case one = with_first_packet();
    queue_straight(one, 20);
    queue_round_about(one, flits);
    ship(one, later, 2, goal, 10, to_goal());
    check_detours(one, flits < 10 ? 2 : 1);  // one is what waits there
  }
}

TEST_CASE("headers that wait for an output count as its queue") {
  Case one = with_first_packet();
  ship(one, start, 0, goal, long_flits, by_ports({straight, 2}));  // it holds the cable; its header is far ahead
  ship(one, start + 1000, 1, goal, 10, by_ports({straight, 2}));   // waits for the cable
  ship(one, later, 2, goal, 10, to_goal());
  check_detours(one, 1);
}

TEST_CASE("packets that choose in the same instant choose by the same queues") {
  Case one = with_first_packet();
  queue_straight(one, 20);
  ship(one, later, 2, goal, 10, to_goal());
  ship(one, later, 3, goal, 10, to_goal());
  check_detours(one, 2);
}

TEST_CASE("a queue is empty again once its packets have gone on") {
  Case one = with_first_packet();
  queue_straight(one, 20);
  ship(one, start + 2 * long_flits * T, 2, goal, 10, to_goal());
  check_detours(one, 0);
}

TEST_CASE("a path whose first cable has failed is not taken") {
  for (const int failed : {straight, round_about}) {
    Case one = with_first_packet();
    one.wiring.channels[one.wiring.switches[0].out[failed]].failed = true;
    check_detours(one, failed == straight ? 1 : 0);
  }
}

TEST_CASE("two paths by the same output are told apart by the queues of their virtual channels") {
  for (const int waits_on : {0, 1}) {
    INFO("virtual channel " << waits_on << " has a queue");
    const auto on = [](topologies::Route route, std::initializer_list<int> channels) {
      auto step = route.steps.begin();
      for (const int vc : channels) (step++)->vc = static_cast<std::uint8_t>(vc);
      return route;
    };
    Case one = triangle(2);
    // By switch 1 to the host there, first straight and second by switch 2 and back.
    const auto route = on(either({straight, 2}, {straight, 1, 1, 2}), {1, 1, 0, 0, 0, 1});
    ship(one, 0, 4, goal, 10, route);
    ship(one, start, blocks, other_goal, long_flits, on(by_ports({3}), {0}));
    ship(one, start, blocks_2, other_goal, long_flits, on(by_ports({3}), {1}));
    ship(one, start + 1000, 0, other_goal, 20, on(by_ports({straight, 3}), {waits_on}));
    ship(one, later, 2, goal, 10, route);
    const int cable = one.wiring.switches[1].out[1];
    in_both(one, [&](const Result& result) { CHECK(result.statistics[cable].packets == (waits_on == 1 ? 1U : 0U)); });
  }
}

TEST_CASE("worm equals flit: packets with two paths on dragonflies and HyperX networks") {
  for (const CaseOptions& options :
       std::initializer_list<CaseOptions>{{.virtual_channels = 3},
                                          {.virtual_channels = 3, .hold = true},
                                          {.circuits = true, .virtual_channels = 3, .hold = true},
                                          {.virtual_channels = 3, .repeaters = true}})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random{seed, "two paths"};
      const Case one = two_paths_case(random, options);
      const auto difference = first_difference(one);
      INFO("seed " << seed << ": " << one.description << "; " << (difference ? difference->text : ""));
      REQUIRE(!difference);
    }
}
