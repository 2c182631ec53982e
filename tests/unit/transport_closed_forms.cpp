/// TIMING.md rule by rule: instants that come out of a sum on paper. Times are in picoseconds and small, to be read.

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

TEST_CASE("Myrinet: a packet of L bytes over n switches and k in-transit hosts takes 24n + 8(n+1+k) + 76k + L-1") {
  constexpr std::int64_t T = 6250;  // ps per byte; TIMING.md, "Check by hand"
  const net::StopGo flow{.buffer = 80, .stop = 56, .go = 40, .signal_delay = Time{8 * T}};
  const net::SwitchRules rules{.setup = Time{24 * T}};
  net::NicRules nic_rules;
  nic_rules.detect = Time{44 * T};
  nic_rules.reprogram = Time{32 * T};
  for (const int bytes : {1, 2, 64, 512, 4096})
    for (const int switches : {3, 4, 7})
      for (const bool in_transit : {false, true}) {
        Case one = row(switches, link_rules(T, 8 * T, flow), rules, nic_rules);
        topologies::Route route;
        for (int s = 0; s < switches; ++s) {
          if (in_transit && s == 1) route.steps.push_back({.port = 0, .in_transit = true});
          route.steps.push_back({.port = static_cast<std::uint16_t>(s + 1 < switches ? 2 : 0)});
        }
        const int n = static_cast<int>(route.steps.size());
        const int k = in_transit ? 1 : 0;
        ship(one, 0, 0, switches - 1, bytes, route);
        in_both(one, [&](const Result& result) {
          CHECK(result.outcomes[0].delivered_ps == (24 * n + 8 * (n + 1 + k) + 76 * k + bytes - 1) * T);
        });
      }
}

TEST_CASE("one switch, two NICs: the header arrives at 35, requests at 65, arrives at 80, and the tail at 110") {
  const net::ChannelRules up = link_rules(10, 35);
  const net::ChannelRules down = link_rules(10, 15);
  Case one;
  one.wiring.add_switch("s0", 2, {.routing = Time{30}});
  for (int h = 0; h < 2; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), {});
    one.wiring.connect(nic(h), port(0, h), up, down);
  }
  ship_in_star(one, 0, 0, 1, 4);
  in_both(one, [](const Result& result) {
    CHECK(result.outcomes[0].injected_ps == 0);
    CHECK(result.outcomes[0].sent_ps == 40);
    CHECK(result.outcomes[0].delivered_ps == 110);
    CHECK(result.statistics[3].head_blocking_ps == 30);  // from the arrival at 35 to the grant at 65
    CHECK(result.statistics[3].held_ps == 105 - 65);     // to the end of the tail's transmission
  });
}

TEST_CASE("credits: a buffer smaller than the round trip lets B flits pass per D + D_c") {
  constexpr std::int64_t T = 10, D = 40, D_c = 60;
  for (const int B : {1, 2, 3, 7, 10})
    for (const int flits : {1, 2, 10, 11, 64}) {
      Case one = star(2, link_rules(T, D, net::Credits{.buffer = B, .return_delay = Time{D_c}}));
      ship_in_star(one, 0, 0, 1, flits);
      const std::int64_t last = (flits - 1) / B * (D + D_c) + (flits - 1) % B * T;
      in_both(one, [&](const Result& result) {
        CHECK(result.outcomes[0].sent_ps == last + T);
        CHECK(result.outcomes[0].delivered_ps == last + 2 * D);
      });
    }
}

TEST_CASE("credits in batches: the flits of a batch wait for the place of its last one") {
  // Four places in two batches: flits 4 and 5 wait for the places of 0 and 1, that is for flit 1, sent at T; so four
  // flits pass per D + D_c + T.
  constexpr std::int64_t T = 10, D = 40, D_c = 60;
  const net::Credits flow{.buffer = 4, .batch = 2, .return_delay = Time{D_c}};
  for (const int j : {1, 2, 9}) {
    Case one = star(2, link_rules(T, D, flow));
    ship_in_star(one, 0, 0, 1, 4 * j + 1);
    in_both(one, [&](const Result& result) { CHECK(result.outcomes[0].delivered_ps == j * (D + D_c + T) + 2 * D); });
  }
}

TEST_CASE("credits: a blocked worm stops when its buffer is full, and its places come back one by one") {
  // Host 0 holds the output from 10 to 310. Host 1 fills the four places at 10..40; they become free at 310, 320, ...
  // and the credits come 15 later.
  Case one = star(3, link_rules(10, 10, net::Credits{.buffer = 4, .return_delay = Time{15}}));
  ship_in_star(one, 0, 0, 2, 30);
  ship_in_star(one, 0, 1, 2, 20);
  in_both(one, [](const Result& result) {
    // D + D_c = 25 is less than 4 T, so it never stops again: flit 4 starts at 325, flit 19 at 475.
    CHECK(result.outcomes[0].delivered_ps == 310);
    CHECK(result.outcomes[1].sent_ps == 475 + 10);
    CHECK(result.outcomes[1].delivered_ps == 310 + 190 + 10);
  });
}

TEST_CASE("credits: a flit that waits for no slot starts when it arrives, however late the header before it started") {
  // Flit k is at the switch at 10 + 20 k, and the header starts R = 5 later, at 15. With two slots and D = 40, each
  // flit from the third one on starts 40 or more after the one two before it: even ones keep the header's delay, and
  // start at 15 + 20 k. Flit 1 waits for no slot and starts when it arrives, so all odd ones do: at 10 + 20 k.
  // The host has one slot, which is free again in time for each flit, and thus sends one flit at a time.
  for (const int flits : {1, 2, 3, 4, 7, 8, 31, 32}) {
    Case one;
    one.wiring.add_switch("s0", 2, {.routing = Time{5}});
    for (int h = 0; h < 2; ++h) {
      one.wiring.add_nic("h" + std::to_string(h), {});
      one.wiring.connect(nic(h), port(0, h), link_rules(20, 10, net::Credits{.buffer = 1, .return_delay = Time{5}}),
                         link_rules(5, 40, net::Credits{.buffer = 2, .return_delay = Time{0}}));
    }
    ship_in_star(one, 0, 0, 1, flits);
    const int last = flits - 1;
    CAPTURE(flits);
    in_both(one, [&](const Result& result) {
      CHECK(result.outcomes[0].sent_ps == 20 * last + 20);
      CHECK(result.outcomes[0].delivered_ps == (last % 2 == 0 ? 15 : 10) + 20 * last + 40);
    });
  }
}

TEST_CASE("STOP binds D_s after the flit that exceeds the threshold, GO D_s after the departure that falls below") {
  // Host 0 holds the output from 10 to 310. Host 1's flits arrive at 10, 20, ...: the fifth, at 50, exceeds 4.
  struct Expected {
    int go;
    std::int64_t signal_ps;
    std::int64_t sent_ps;
    std::int64_t delivered_ps;
  };
  const Expected expectations[] = {
      // STOP binds from 60, inclusive: 6 flits are sent. They leave at 310..360; at 340 two are left: fewer than 3.
      // GO binds from 350: flits 6..19 start at 350..480, none is missed.
      {3, 10, 490, 510},
      // GO when none is left, at 360, binds at 370: flit 6 arrives at 380, 10 late.
      {1, 10, 510, 520},
      // STOP binds from 70: 7 flits. They leave at 310..370; GO of 3 at 350, binds from 370: flit 7 at 370.
      {3, 20, 500, 510},
      // Signals without delay: STOP is sent at the end of 50, when the flit of 50 has started. 6 flits; GO at 340.
      {3, 0, 480, 510},
  };
  for (const auto& [go, signal_ps, sent_ps, delivered_ps] : expectations) {
    CAPTURE(go, signal_ps);
    const net::StopGo flow{.buffer = 8, .stop = 4, .go = go, .signal_delay = Time{signal_ps}};
    Case one = star(3, link_rules(10, 10, flow));
    ship_in_star(one, 0, 0, 2, 30);
    ship_in_star(one, 0, 1, 2, 20);
    in_both(one, [sent = sent_ps, delivered = delivered_ps](const Result& result) {
      CHECK(result.outcomes[0].delivered_ps == 310);
      CHECK(result.outcomes[1].sent_ps == sent);
      CHECK(result.outcomes[1].delivered_ps == delivered);
    });
  }
}

TEST_CASE("store and forward: a switch routes when the tail has arrived") {
  constexpr std::int64_t T = 10, D = 25, R = 7, S = 4;
  for (const int switches : {1, 2, 5})
    for (const int flits : {1, 2, 50}) {
      Case one = row(switches + 1, link_rules(T, D), {.routing = Time{R}, .setup = Time{S}, .store_and_forward = true});
      topologies::Route route;
      for (int s = 0; s < switches; ++s) route.steps.push_back({.port = 2});
      route.steps.push_back({.port = 0});
      ship(one, 0, 0, switches, flits, route);
      const std::int64_t hop = (flits - 1) * T + D;
      in_both(one, [&](const Result& result) {
        CHECK(result.outcomes[0].delivered_ps == (switches + 1) * (hop + R + S) + hop);
      });
    }
}

TEST_CASE("a software router has one processor: headers that come together are routed one after the other") {
  constexpr std::int64_t T = 10, D = 25, R = 100;
  Case one = star(4, link_rules(T, D), {.routing = Time{R}, .store_and_forward = true, .software_router = true});
  ship_in_star(one, 0, 0, 2, 8);
  ship_in_star(one, 0, 1, 3, 8);
  constexpr std::int64_t hop = 7 * T + D;
  in_both(one, [](const Result& result) {
    CHECK(result.outcomes[0].delivered_ps == hop + R + hop);
    CHECK(result.outcomes[1].delivered_ps == hop + 2 * R + hop);
  });
}

TEST_CASE("header deletion: the next flit becomes the header, and waits until it is there") {
  constexpr std::int64_t T = 10, D = 25;
  constexpr int flits = 12;
  for (const std::int64_t R : {0, 3, 10, 40})
    for (const int strip : {1, 2}) {
      Case one = star(2, link_rules(T, D), {.routing = Time{R}});
      topologies::Route route = by_ports({1});
      route.steps[0].strip = static_cast<std::uint8_t>(strip);
      ship(one, 0, 0, 1, flits, route);
      const std::int64_t start = D + std::max(R, strip * T);
      in_both(one, [&](const Result& result) {
        CHECK(result.outcomes[0].delivered_ps == start + (flits - strip - 1) * T + D);
        CHECK(result.statistics[3].flits == static_cast<std::uint64_t>(flits - strip));
      });
    }
}

TEST_CASE("header prepending: the switch's own flits go first") {
  constexpr std::int64_t T = 10, D = 25, R = 3;
  Case one = star(2, link_rules(T, D), {.routing = Time{R}});
  topologies::Route route = by_ports({1});
  route.steps[0].prepend = 2;
  ship(one, 0, 0, 1, 12, route);
  in_both(one, [](const Result& result) { CHECK(result.outcomes[0].delivered_ps == D + R + (12 + 2 - 1) * T + D); });
}

TEST_CASE("a short tail frees its channel early") {
  net::ChannelRules cable = link_rules(10, 25);
  cable.tail_time = Time{4};
  Case one = star(2, cable);
  ship_in_star(one, 0, 0, 1, 5);
  ship_in_star(one, 0, 0, 1, 5);
  in_both(one, [](const Result& result) {
    CHECK(result.outcomes[0].sent_ps == 44);
    CHECK(result.outcomes[1].injected_ps == 44);
    CHECK(result.outcomes[0].delivered_ps == 40 + 50);
    // Its header is in the switch at 69, and the first tail's transmission there ended at 25 + 44 = 69.
    CHECK(result.outcomes[1].delivered_ps == 44 + 40 + 50);
  });
}

TEST_CASE("where a receiver needs the whole flit, a short tail is there after its own length") {
  // T 10 and 15 on the way; a tail takes 4, and is there after 19. Behind the switch a fast link: T 3 and 7, a tail 2.
  net::ChannelRules cable = link_rules(10, 25);
  cable.tail_time = Time{4};
  cable.tail_lead = Time{6};
  net::ChannelRules fast = link_rules(3, 10);
  fast.tail_time = Time{2};
  fast.tail_lead = Time{1};
  const auto three_hosts = [&](const net::SwitchRules& rules = {}) {
    Case one = star(3, cable, rules);
    one.wiring.channels[3].rules = fast;  // from the switch to host 1
    return one;
  };

  Case same = star(2, cable);
  ship_in_star(same, 0, 0, 1, 5);
  // In the switch at 25, 35, 45, 55 and 59, but the channel is busy until 65.
  in_both(same, [](const Result& result) { CHECK(result.outcomes[0].delivered_ps == 65 + 19); });

  Case two = three_hosts();
  ship_in_star(two, 0, 0, 1, 5);
  ship_in_star(two, 0, 2, 1, 5);
  in_both(two, [](const Result& result) {
    CHECK(result.outcomes[0].sent_ps == 44);
    CHECK(result.outcomes[0].delivered_ps == 59 + 9);
    // The output is free at 61. The flits, all there, start at 61, 64, 67 and 70, the tail at 73.
    CHECK(result.outcomes[1].delivered_ps == 73 + 9);
  });

  Case stored = three_hosts({.store_and_forward = true});
  ship_in_star(stored, 0, 0, 1, 5);
  in_both(stored, [](const Result& result) { CHECK(result.outcomes[0].delivered_ps == 59 + 4 * 3 + 9); });

  Case single = three_hosts();
  ship_in_star(single, 0, 0, 1, 1);
  in_both(single, [](const Result& result) { CHECK(result.outcomes[0].delivered_ps == 19 + 9); });
}

TEST_CASE("the gap counts from the start, the last data flit's end or the tail's end, as the machine says") {
  using From = net::NicRules::GapFrom;
  const auto second_starts = [](const net::NicRules& rules, const net::ChannelRules& cable) {
    Case one = star(2, cable, {}, rules);
    ship_in_star(one, 0, 0, 1, 10);
    ship_in_star(one, 0, 0, 1, 10);
    std::vector<std::int64_t> starts;
    in_both(one, [&](const Result& result) { starts.push_back(result.outcomes[1].injected_ps); });
    REQUIRE(starts[0] == starts[1]);
    return starts[0];
  };
  const net::ChannelRules cable = link_rules(10, 25);
  CHECK(second_starts({.gap = Time{0}}, cable) == 100);
  CHECK(second_starts({.gap = Time{35}, .gap_from = From::tail_end}, cable) == 135);
  CHECK(second_starts({.gap = Time{35}, .gap_from = From::start}, cable) == 100);  // the place is taken until then
  CHECK(second_starts({.gap = Time{350}, .gap_from = From::start}, cable) == 350);

  // Two places and two virtual channels: the second may start beside the first.
  net::ChannelRules two = cable;
  two.virtual_channels = 2;
  CHECK(second_starts({.slots = 2, .gap = Time{35}, .gap_from = From::start}, two) == 35);
  CHECK(second_starts({.slots = 2, .gap = Time{35}, .gap_from = From::data_end}, two) == 135);
  // A circuit's tail is its EOP, after the acknowledgement: 2 D + 9 T data, then T_a = 200, then T.
  CHECK(second_starts({.gap = Time{35}, .gap_from = From::tail_end, .circuit = true, .acknowledge = Time{200}},
                      cable) == 50 + 90 + 200 + 10 + 35);
  CHECK(second_starts({.gap = Time{35}, .gap_from = From::data_end, .circuit = true, .acknowledge = Time{200}},
                      cable) == 50 + 90 + 200 + 10);
  CHECK(second_starts(
            {.slots = 2, .gap = Time{35}, .gap_from = From::data_end, .circuit = true, .acknowledge = Time{200}},
            two) == 135);
}

TEST_CASE("packets leave a NIC in order, as many at once as it has places") {
  net::ChannelRules cable = link_rules(10, 25);
  cable.virtual_channels = 3;
  for (const int slots : {1, 2, 3}) {
    Case one = star(5, cable, {}, {.slots = slots});
    for (int destination = 1; destination < 5; ++destination) ship_in_star(one, 0, 0, destination, 10);
    in_both(one, [&](const Result& result) {
      for (int i = 0; i < 4; ++i) CHECK((result.outcomes[i].injected_ps == 0) == (i < slots));
      for (int i = 1; i < 4; ++i) CHECK(result.outcomes[i].injected_ps >= result.outcomes[i - 1].injected_ps);
    });
  }
}
