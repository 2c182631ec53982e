/// Worms that wait for each other in a ring, and how the network names them.

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t T = 10, D = 10;

/// A ring of four with short buffers: every host sends `flits` to the host two switches on.
Case half_round(int flits) {
  Case one = row(4, link_rules(T, D, net::Credits{.buffer = 4}), {}, {}, true);
  for (int h = 0; h < 4; ++h) ship(one, 500, h, (h + 2) % 4, flits, by_ports({2, 2, 0}));
  return one;
}

/// All packets are sent at once and are delivered; whenever one looks there is no deadlock.
void look_all_the_time(const Case& one, int least_looks) {
  struct Sink : net::Endpoint {
    void delivered(net::Packet&, int) override { ++deliveries; }
    std::size_t deliveries = 0;
  };
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    Sink sink;
    net::EventQueue queue;
    net::Network network{one.wiring, queue, fidelity, 1};
    for (std::size_t h = 0; h < one.wiring.nics.size(); ++h) network.attach(static_cast<int>(h), sink);
    for (const Shipment& shipment : one.shipments) {
      net::Packet& packet = network.make_packet();
      packet.source = shipment.source;
      packet.destination = shipment.destination;
      packet.flits = shipment.flits;
      packet.route = shipment.route;
      network.send(packet);
    }
    queue.run_outside(Time{0});
    int looks = 0;
    for (Time at{0}; queue.run_until(at); at += Time{50}, ++looks) CHECK(network.find_deadlock().empty());
    CHECK(looks > least_looks);
    CHECK(sink.deliveries == one.shipments.size());
  }
}

}  // namespace

TEST_CASE("four worms that go half round a ring hold each other for ever, and are named") {
  Case one = half_round(64);
  for (int h = 0; h < 4; ++h) ship(one, 0, h, (h + 1) % 4, 8, by_ports({2, 0}));  // these arrive before
  in_both(one, [](const Result& result) {
    CHECK(result.left_over == 4);
    for (int i = 0; i < 4; ++i) CHECK(result.outcomes[i].delivered_ps == -1);
    for (int i = 4; i < 8; ++i) CHECK(result.outcomes[i].delivered_ps == 3 * D + 7 * T);
    // Each came by the channel that the one before it in the cycle waits for.
    for (int s = 0; s < 4; ++s) {
      const std::string here = std::to_string(s), next = std::to_string((s + 1) % 4);
      CHECK_THAT(result.deadlock, Contains("(" + here + " to " + std::to_string((s + 2) % 4) + ")"));
      CHECK_THAT(result.deadlock, Contains("came by s" + here + ".2->s" + next + ".1"));
      CHECK_THAT(result.deadlock, Contains("waits for s" + here + ".2->s" + next + ".1"));
    }
  });
}

TEST_CASE("worms short enough to leave the channel behind them do not lock") {
  // Two flits fit into the buffer of four, so the channel is free again although the header waits.
  in_both(half_round(2), [](const Result& result) {
    CHECK(result.left_over == 0);
    CHECK(result.deadlock.empty());
    for (const Outcome& outcome : result.outcomes) CHECK(outcome.deliveries == 1);
  });
}

TEST_CASE("one worm less, and the ring moves") {
  Case one = half_round(64);
  one.shipments.pop_back();
  in_both(one, [](const Result& result) { CHECK(result.left_over == 0); });
}

TEST_CASE("traffic that is merely slow is never called a deadlock") {
  Case one = row(4, link_rules(T, D, net::Credits{.buffer = 4}));
  for (int i = 0; i < 6; ++i)
    for (int h = 0; h < 3; ++h) {
      topologies::Route route;
      for (int s = h; s < 3; ++s) route.steps.push_back({.port = 2});
      route.steps.push_back({.port = 0});
      ship(one, 0, h, 3, 200, route);
    }
  look_all_the_time(one, 18 * 200 * T / 50);  // all cross one channel
}

TEST_CASE("a packet does not hold its way to an in-transit host for what it waits for behind it") {
  // Host 1 sends round the ring: its packet's tail is still in switch 1 when its header asks for the cable from switch
  // 0, which the packet from host 0 holds. That one is taken in by host 1, and comes out of it behind the other.
  constexpr int places = 16;
  Case one = row(4, link_rules(T, D, net::Credits{.buffer = places}), {}, {}, true);
  ship(one, 0, 1, 1, 3 * places + 8, by_ports({2, 2, 2, 2, 0}));
  topologies::Route by_way_of_host_1 = by_ports({2, 0, 2, 0});
  by_way_of_host_1.steps[1].in_transit = true;
  ship(one, 0, 0, 2, 500, by_way_of_host_1);
  look_all_the_time(one, 500 * T / 50);
}

TEST_CASE("full in-transit pools can hold each other for ever, and are named") {
  // Every host sends a short packet and then a long one by way of the next host. The short ones are in the pools, and
  // wait for the hosts to have sent the long ones, for which the next pool has no room then.
  net::NicRules rules;
  rules.detect = Time{40};
  rules.reprogram = Time{36};
  rules.pool_flits = 64;
  const auto ring = [&](int hosts_with_long_ones) {
    Case one = row(4, link_rules(T, D, net::Credits{.buffer = 4}), {}, rules, true);
    for (int h = 0; h < 4; ++h)
      for (const int flits : {4, 64}) {
        if (flits > 4 && h >= hosts_with_long_ones) continue;
        topologies::Route route;
        for (const bool in_transit : {true, false})
          route.steps.insert(route.steps.end(), {{.port = 2}, {.port = 0, .in_transit = in_transit}});
        ship(one, 0, h, (h + 2) % 4, flits, route);
      }
    return one;
  };
  in_both(ring(4), [](const Result& result) {
    CHECK(result.left_over == 8);
    for (int s = 0; s < 4; ++s) {
      const std::string next = std::to_string((s + 1) % 4);
      CHECK_THAT(result.deadlock, Contains("(" + std::to_string(s) + " to " + std::to_string((s + 2) % 4) +
                                           ") waits for room in the in-transit pool of h" + next + ", whose h" + next));
    }
  });
  in_both(ring(3), [](const Result& result) { CHECK(result.left_over == 0); });
  rules.full_pool = net::FullPool::drops;
  in_both(ring(4), [](const Result& result) {
    CHECK(result.left_over == 0);
    CHECK(result.lost == 4);
  });
  rules.full_pool = net::FullPool::spills;
  in_both(ring(4), [](const Result& result) {
    CHECK(result.left_over == 0);
    CHECK(result.lost == 0);
  });
}

TEST_CASE("a packet that no pool can hold is named") {
  net::NicRules rules;
  rules.pool_flits = 63;
  Case one = row(3, link_rules(T, D, net::Credits{.buffer = 4}), {}, rules);
  topologies::Route route;
  route.steps = {{.port = 2}, {.port = 0, .in_transit = true}, {.port = 2}, {.port = 0}};
  ship(one, 0, 0, 2, 64, route);
  in_both(one, [](const Result& result) {
    CHECK_THAT(result.deadlock, Contains("of 64 flits never fits into the 63 of the in-transit pool of h1"));
  });
}
