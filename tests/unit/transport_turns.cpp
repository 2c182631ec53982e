/// Virtual channels that share a channel, by hand: which sends when, and what is decided within one instant.

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 20;

/// A star whose cables have two virtual channels; NICs send two packets at once.
Case shared_star(int hosts, bool hold, const net::Credits& credits = {.buffer = 64, .return_delay = Time{5}},
                 const net::SwitchRules& rules = {}, bool circuit = false) {
  net::ChannelRules cable = link_rules(T, D, credits);
  cable.virtual_channels = 2;
  cable.hold = hold;
  net::NicRules nic_rules;
  nic_rules.slots = 2;
  nic_rules.circuit = circuit;
  nic_rules.gap_from = net::NicRules::GapFrom::start;
  return star(hosts, cable, rules, nic_rules);
}

}  // namespace

TEST_CASE("two packets that share a channel by flit alternate, and the longer one goes on alone") {
  Case one = shared_star(3, false);
  const auto a = ship_in_star(one, 0, 0, 1, 3);
  const auto b = ship_in_star(one, 0, 0, 2, 5);
  in_both(one, [&](const Result& result) {
    // A starts at 0, 20, 40; B at 10, 30, 50 and then, alone, at 60 and 70.
    CHECK(result.outcomes[a].sent_ps == 40 + T);
    CHECK(result.outcomes[a].delivered_ps == 40 + D + D);
    CHECK(result.outcomes[b].sent_ps == 70 + T);
    CHECK(result.outcomes[b].delivered_ps == 70 + D + D);
  });
}

TEST_CASE("a packet that comes while another one holds the channel waits for the end of it") {
  Case one = shared_star(3, true);
  const auto a = ship_in_star(one, 0, 0, 1, 3);
  const auto b = ship_in_star(one, 5, 0, 2, 2);
  in_both(one, [&](const Result& result) {
    // A starts at 0, 10, 20; B at 30 and 40.
    CHECK(result.outcomes[a].sent_ps == 20 + T);
    CHECK(result.outcomes[b].sent_ps == 40 + T);
    CHECK(result.outcomes[b].delivered_ps == 40 + D + D);
  });
}

TEST_CASE("a waiting packet gets the channel as soon as its holder has no credit for a flit") {
  Case one = shared_star(3, true, {.buffer = 2, .return_delay = Time{15}});
  const auto a = ship_in_star(one, 0, 0, 1, 3);
  const auto b = ship_in_star(one, 5, 0, 2, 2);
  in_both(one, [&](const Result& result) {
    // A starts at 0 and 10. Its first flit leaves the switch at 20, so the third one could start at 35; but B starts at
    // 20 and 30, and A goes on at 40.
    CHECK(result.outcomes[b].sent_ps == 30 + T);
    CHECK(result.outcomes[b].delivered_ps == 30 + D + D);
    CHECK(result.outcomes[a].sent_ps == 40 + T);
    CHECK(result.outcomes[a].delivered_ps == 40 + D + D);
  });
}

TEST_CASE("a flit whose buffer slot becomes free in that instant comes after those that could be sent before") {
  Case one = shared_star(3, true, {.buffer = 2, .return_delay = Time{0}});
  const auto a = ship_in_star(one, 0, 0, 1, 4);
  const auto b = ship_in_star(one, 20, 0, 2, 2);
  in_both(one, [&](const Result& result) {
    // A starts at 0 and 10. At 20 its first flit leaves the switch, which frees a buffer slot for its third one at
    // once; but B is there at 20 as well, is sent first and holds the channel until 40. A goes on at 40 and 50.
    CHECK(result.outcomes[b].sent_ps == 30 + T);
    CHECK(result.outcomes[b].delivered_ps == 30 + D + D);
    CHECK(result.outcomes[a].sent_ps == 50 + T);
    CHECK(result.outcomes[a].delivered_ps == 50 + D + D);
  });
}

TEST_CASE("a slot that becomes free in the instant in which packets are injected is usable a round later") {
  Case one = shared_star(3, true, {.buffer = 1, .return_delay = Time{0}}, {.setup = Time{5}});
  ship_in_star(one, 0, 0, 1, 1);
  const auto a = ship_in_star(one, 25, 0, 1, 1);
  const auto b = ship_in_star(one, 25, 0, 2, 1);
  in_both(one, [&](const Result& result) {
    // The first packet leaves the switch at 25. A, on the same virtual channel, needs its slot; B has one of its own,
    // and is sent first.
    CHECK(result.outcomes[b].sent_ps == 25 + T);
    CHECK(result.outcomes[a].sent_ps == 35 + T);
  });
}

TEST_CASE("a NIC frees the slots of its own packets at once, and those of a packet in transit a round later") {
  for (const std::int64_t pool_flits : {std::int64_t{100}, std::int64_t{INT64_MAX}})
    for (const bool in_transit : {false, true}) {
      Case one = shared_star(3, true, {.buffer = 2, .return_delay = Time{0}});
      for (auto& host : one.wiring.nics) host.rules.pool_flits = pool_flits;
      topologies::Route route = by_ports({1});
      if (in_transit) {
        route = by_ports({1, 2});
        route.steps[0].in_transit = true;
      }
      const auto a = ship(one, 0, 0, in_transit ? 2 : 1, 4, route);
      const auto b = ship_in_star(one, 20, 2, 1, 2);
      INFO("pool of " << pool_flits << " flits, " << (in_transit ? "in transit" : "to the NIC itself"));
      in_both(one, [&](const Result& result) {
        // On the channel to NIC 1, A starts at 20 and 30; at 40 its first flit arrives there, and B's at the switch.
        // If the slot is free at once, A goes on at 40 and 50, and B follows at 60 and 70; else B comes first, at 40
        // and 50, and A goes on at 60 and 70 (and leaves the NIC again at 80 and 90).
        CHECK(result.outcomes[b].delivered_ps == (in_transit ? 50 : 70) + D);
        CHECK(result.outcomes[a].delivered_ps == (in_transit ? 90 + D : 50) + D);
      });
    }
}

TEST_CASE("a packet that must be stored whole asks for its output only when its delayed tail has arrived") {
  Case one = shared_star(4, false, {.buffer = 8, .return_delay = Time{5}}, {.store_and_forward = true});
  net::ChannelRules& slow = one.wiring.channels[5].rules;  // from the switch to host 2
  slow.virtual_channels = 1;
  slow.flit_time = slow.tail_time = Time{10 * T};
  ship_in_star(one, 0, 1, 2, 8);   // has the slow channel from 90 to 890
  ship_in_star(one, 10, 0, 3, 8);  // virtual channel 0 is taken, so that the next packet uses 1
  ship_in_star(one, 10, 0, 2, 4);  // waits for the slow channel and leaves 4 slots
  const auto a = ship_in_star(one, 300, 0, 3, 6);
  const auto b = ship_in_star(one, 305, 0, 3, 6);
  in_both(one, [&](const Result& result) {
    // Alone, A would have its tail in the switch at 370. But B's first four flits come between, so A's tail starts at
    // 390; it arrives at 410, and A starts again. B gets the other slots at 890 and 990, and is at the front at 1290.
    CHECK(result.outcomes[a].sent_ps == 390 + T);
    CHECK(result.outcomes[a].delivered_ps == 410 + 5 * T + D);
    CHECK(result.outcomes[b].sent_ps == 995 + T);
    CHECK(result.outcomes[b].delivered_ps == 1290 + 5 * T + D);
  });
}

TEST_CASE("two headers that a software router passes on in the same instant take turns in the channel's order") {
  Case one = shared_star(3, true, {.buffer = 64, .return_delay = Time{5}}, {.software_router = true});
  const auto first = ship_in_star(one, 0, 0, 2, 1);
  const auto second = ship_in_star(one, 0, 1, 2, 1);
  in_both(one, [&](const Result& result) {
    // Both are there at 20, and get virtual channels 0 and 1 in a second round of that instant. A channel that has
    // served none begins with the last one.
    CHECK(result.outcomes[second].delivered_ps == 20 + D);
    CHECK(result.outcomes[first].delivered_ps == 20 + T + D);
  });
}

TEST_CASE("the EOP of a circuit that was refused follows its own data without an overlap") {
  Case one = shared_star(2, true, {.buffer = 64, .return_delay = Time{15}}, {}, true);
  one.wiring.channels[3].failed = true;  // from the switch to host 1
  const auto refused = ship_in_star(one, 0, 0, 1, 4);
  in_both(one, [&](const Result& result) {
    // Flits start at 0, 10, 20 and 30; the source hears at 20 that there is no way on. The EOP starts at 40, though
    // credits come back at 35.
    CHECK(result.outcomes[refused].lost);
    CHECK(result.outcomes[refused].sent_ps == 40 + T);
  });
}
