/// In-transit re-injection (Myrinet): detection, reprogramming, cut-through, precedence, and the buffer pool.

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

net::NicRules nic_rules(std::int64_t detect_ps, std::int64_t reprogram_ps) {
  net::NicRules rules;
  rules.detect = Time{detect_ps};
  rules.reprogram = Time{reprogram_ps};
  return rules;
}

topologies::Route by_way_of(int host, int destination) {
  topologies::Route route = by_ports({host, destination});
  route.steps[0].in_transit = true;
  return route;
}

}  // namespace

TEST_CASE("a re-injected packet starts T_d + T_r after its first flit arrived, and cuts through") {
  for (const std::int64_t wait : {0, 7, 76, 500})
    for (const int flits : {1, 2, 30}) {
      Case one = star(3, link_rules(T, D), {}, nic_rules(wait / 2, wait - wait / 2));
      ship(one, 0, 0, 2, flits, by_way_of(1, 2));
      in_both(one, [&](const Result& result) {
        CHECK(result.outcomes[0].delivered_ps == 2 * D + wait + 2 * D + (flits - 1) * T);
        CHECK(result.outcomes[0].sent_ps == flits * T);  // the source is done, whatever becomes of the packet
        CHECK(result.outcomes[0].deliveries == 1);
      });
    }
}

TEST_CASE("a flit is re-injected only after it has arrived") {
  // The way to the in-transit host is ten times slower than the way on.
  Case one;
  one.wiring.add_switch("s0", 3, {});
  for (int h = 0; h < 3; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), nic_rules(0, 0));
    const net::ChannelRules slow = link_rules(10 * T, D), fast = link_rules(T, D);
    one.wiring.connect(nic(h), port(0, h), h == 0 ? slow : fast, fast);
  }
  ship(one, 0, 0, 2, 20, by_way_of(1, 2));
  in_both(one, [](const Result& result) { CHECK(result.outcomes[0].delivered_ps == 19 * 10 * T + 4 * D); });
}

TEST_CASE("an in-transit packet waits for the packet that is being sent, and goes ahead of those that wait") {
  Case one = star(4, link_rules(T, D), {}, nic_rules(30, 20));
  const auto own_first = ship_in_star(one, 0, 1, 3, 50);
  const auto own_second = ship_in_star(one, 0, 1, 3, 50);
  const auto through = ship(one, 0, 0, 2, 10, by_way_of(1, 2));
  in_both(one, [&](const Result& result) {
    CHECK(result.outcomes[own_first].sent_ps == 500);
    CHECK(result.outcomes[through].delivered_ps == 500 + 9 * T + 2 * D);
    CHECK(result.outcomes[own_second].injected_ps == 500 + 10 * T);
  });
}

TEST_CASE("until it is detected an in-transit packet does not hold the NIC's own packets back") {
  // The header is there at 20 and detected at 320; the NIC's own packets start at 0, 100, 200 and 300. From detection
  // on the sending side is kept for it, though it is ready only at 370.
  Case one = star(4, link_rules(T, D), {}, nic_rules(300, 50));
  for (int i = 0; i < 5; ++i) ship_in_star(one, 0, 1, 3, 10);
  const auto through = ship(one, 0, 0, 2, 10, by_way_of(1, 2));
  in_both(one, [&](const Result& result) {
    CHECK(result.outcomes[3].injected_ps == 300);
    CHECK(result.outcomes[through].delivered_ps == 400 + 9 * T + 2 * D);  // the fourth is over at 400
    CHECK(result.outcomes[4].injected_ps == 500);
  });
}

TEST_CASE("a full pool keeps the next in-transit packet in the network until a packet has left it") {
  net::NicRules rules = nic_rules(40, 36);
  const auto second_delivered = [&] {
    Case one = star(4, link_rules(T, D), {}, rules);
    ship(one, 0, 0, 2, 4, by_way_of(1, 2));
    ship(one, 0, 3, 2, 4, by_way_of(1, 2));
    std::vector<std::int64_t> at;
    in_both(one, [&](const Result& result) {
      // Header at the NIC at 20, sent on from 96 to 136.
      CHECK(result.outcomes[0].delivered_ps == 96 + 3 * T + 2 * D);
      CHECK(result.left_over == 0);
      at.push_back(result.outcomes[1].delivered_ps);
    });
    REQUIRE(at[0] == at[1]);
    return at[0];
  };
  CHECK(second_delivered() == 136 + 3 * T + 2 * D);  // its header came at 60, so it is ready when the first is through
  rules.pool_flits = 8;
  CHECK(second_delivered() == 136 + 3 * T + 2 * D);  // both fit
  rules.pool_flits = 7;
  CHECK(second_delivered() == 136 + 76 + 3 * T + 2 * D);  // detected when the first has left
}

TEST_CASE("a full pool that spills takes packets as one that is large enough does") {
  const auto delivered = [](std::int64_t pool_flits) {
    net::NicRules rules = nic_rules(40, 36);
    rules.pool_flits = pool_flits;
    rules.full_pool = net::FullPool::spills;
    Case one = star(4, link_rules(T, D), {}, rules);
    ship(one, 0, 0, 2, 4, by_way_of(1, 2));
    ship(one, 0, 3, 2, 4, by_way_of(1, 2));
    std::vector<std::int64_t> at;
    in_both(one, [&](const Result& result) {
      CHECK(result.lost == 0);
      CHECK(result.left_over == 0);
      at.push_back(result.outcomes[1].delivered_ps);
    });
    REQUIRE(at[0] == at[1]);
    return at[0];
  };
  CHECK(delivered(8) == 136 + 3 * T + 2 * D);  // both fit
  CHECK(delivered(7) == 136 + 3 * T + 2 * D);
  CHECK(delivered(3) == 136 + 3 * T + 2 * D);  // not even one
}

TEST_CASE("a full pool that drops loses the packet, and what comes after it passes") {
  net::NicRules rules = nic_rules(40, 36);
  rules.pool_flits = 4;
  rules.full_pool = net::FullPool::drops;
  Case one = star(4, link_rules(T, D), {}, rules);
  ship(one, 0, 0, 2, 4, by_way_of(1, 2));
  ship(one, 0, 3, 2, 4, by_way_of(1, 2));
  ship_in_star(one, 0, 3, 1, 4);
  in_both(one, [](const Result& result) {
    CHECK_FALSE(result.outcomes[0].lost);
    CHECK(result.outcomes[1].lost);
    CHECK(result.outcomes[1].deliveries == 0);
    CHECK(result.outcomes[2].deliveries == 1);
    CHECK(result.lost == 1);
    CHECK(result.left_over == 0);
  });
}
