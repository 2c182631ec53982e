/// Channels that fail during a run, and are repaired: the packets on them are cut, what waits for them is discarded,
/// and both fidelities agree on when (TIMING.md, "Outages").

#include <catch2/catch.hpp>
#include <initializer_list>

#include "tests/support/difference.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"
#include "tests/support/sharing_case.hpp"
#include "tests/support/two_switches.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = TwoSwitches::flit_ps, D = TwoSwitches::delay_ps;

/// When a packet of host 0 across the first cable arrives, that started at 0 and met nothing.
std::int64_t arrival(int flits) { return 3 * D + (flits - 1) * T; }

}  // namespace

TEST_CASE("a channel that fails loses the packet on it and those that wait for it alone") {
  TwoSwitches net;
  const auto on_it = net.across(0, 0, 100);
  const auto waits = net.across(0, 1, 100);
  const auto behind = ship(net.one, 0, 1, 2, 10, by_ports({2}));
  net.fails(500, net.first_cable);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[on_it].lost);
    CHECK(result.outcomes[on_it].deliveries == 0);
    CHECK(result.outcomes[on_it].sent_ps == 100 * T);  // it drains as if it were whole
    CHECK(result.outcomes[waits].lost);
    // Four flits were in the FIFO at 500. The others flow from then on, and 96 more take until 500 + 96 T.
    CHECK(result.outcomes[waits].sent_ps == 500 + 96 * T);
    CHECK(result.outcomes[behind].deliveries == 1);
    CHECK(result.lost == 2);
    CHECK(result.left_over == 0);
  });
}

TEST_CASE("a packet is lost from its grant to the end of its tail on the channel that fails, and not before or after") {
  // Its header is granted the cable at D, and its tail, flit 9, starts there at D + 9 T.
  for (const auto& [at, is_lost] : {std::pair{D - 1, true}, {D, true}, {D + 10 * T - 1, true}, {D + 10 * T, false}}) {
    TwoSwitches net;
    const auto packet = net.across(0, 0, 10);
    net.fails(at, net.first_cable);
    CAPTURE(at);
    in_both(net.one, [&, cut = is_lost](const Result& result) {
      CHECK(result.outcomes[packet].lost == cut);
      CHECK(result.outcomes[packet].deliveries == (cut ? 0 : 1));
      CHECK(result.left_over == 0);
    });
  }
}

TEST_CASE("a repaired channel takes packets again") {
  TwoSwitches net;
  net.fails(0, net.first_cable, Time{500});
  const auto too_early = net.across(500 - D, 0, 10);  // it asks before the end of the instant
  const auto in_time = net.across(501 - D, 1, 10);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[too_early].lost);
    CHECK(result.outcomes[in_time].delivered_ps == 501 - D + arrival(10));
    CHECK(result.lost == 1);
  });
}

TEST_CASE("a header that waits for the other channel of its group takes the one that is repaired") {
  TwoSwitches net;
  net.fails(0, net.first_cable, Time{300});
  net.across(0, 0, 100, 2);                     // has the second cable until D + 100 T
  const auto waits = net.across(50, 1, 10, 2);  // asks at 60
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[waits].delivered_ps == 300 + 2 * D + 9 * T);
    CHECK(result.lost == 0);
  });
}

TEST_CASE("a cut worm is lost even where the channel is repaired before its tail comes") {
  TwoSwitches net;
  const auto cut = net.across(0, 0, 100);
  const auto next = net.across(5, 1, 10);  // waits for the same cable
  net.fails(200, net.first_cable, Time{201});
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[cut].lost);
    CHECK(result.outcomes[next].lost);  // it waited when nothing worked
    CHECK(result.lost == 2);
  });
}

TEST_CASE("packets of a host whose own cable fails are lost unsent until that is repaired") {
  TwoSwitches net;
  const auto under_way = net.across(0, 0, 20);
  const auto too_late = net.across(0, 0, 20);
  net.fails(50, net.one.wiring.nics[0].out, Time{2000});
  const auto later = net.across(1000, 0, 20);
  const auto again = net.across(2000, 0, 20);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[under_way].lost);
    CHECK(result.outcomes[under_way].injected_ps == 0);
    for (const auto unsent : {too_late, later}) {
      CHECK(result.outcomes[unsent].lost);
      CHECK(result.outcomes[unsent].injected_ps == -1);
    }
    CHECK(result.outcomes[again].delivered_ps == 2000 + arrival(20));
    CHECK(result.lost == 3);
    CHECK(result.left_over == 0);
  });
}

TEST_CASE("the source of a cut circuit hears of it with the acknowledgement, and closes the path") {
  constexpr std::int64_t answer = 40, hop = 13;
  net::NicRules rules;
  rules.circuit = true;
  rules.acknowledge = Time{answer};
  TwoSwitches net{rules};
  for (auto& channel : net.one.wiring.channels) channel.rules.control_hop = Time{hop};
  const auto cut = net.across(0, 0, 30);
  net.fails(100, net.first_cable);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[cut].lost);
    CHECK(result.outcomes[cut].deliveries == 0);
    CHECK(result.outcomes[cut].sent_ps == arrival(30) + answer + 3 * hop + T);  // as if it had been delivered
    CHECK(result.left_over == 0);
  });
}

TEST_CASE("a circuit whose data have been delivered is closed across a channel that fails meanwhile") {
  net::NicRules rules;
  rules.circuit = true;
  rules.acknowledge = Time{1000};
  TwoSwitches net{rules};
  const auto delivered = net.across(0, 0, 30);
  net.fails(arrival(30) + 10, net.first_cable);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[delivered].deliveries == 1);
    CHECK_FALSE(result.outcomes[delivered].lost);
    CHECK(result.outcomes[delivered].sent_ps == arrival(30) + 1000 + T);
    CHECK(result.lost == 0);
    CHECK(result.left_over == 0);
  });
}

TEST_CASE("a broadcast reaches the hosts that it does not reach through the channel that fails") {
  // Switch 0 has hosts 0 and 1, switch 1 has hosts 2 and 3; switch 2 copies to both.
  for (const bool waits : {false, true}) {
    Case one;
    const net::ChannelRules cable = link_rules(T, D);
    for (int s = 0; s < 3; ++s) one.wiring.add_switch("s" + std::to_string(s), s < 2 ? 3 : 2, {});
    for (int h = 0; h < 4; ++h) {
      one.wiring.add_nic("h" + std::to_string(h), {});
      one.wiring.connect(nic(h), port(h / 2, h % 2), cable, cable);
    }
    int down = 0;  // from switch 2 to switch 1
    for (int s = 0; s < 2; ++s) down = one.wiring.connect(port(s, 2), port(2, s), cable, cable) + 1;
    // With a packet of host 2 to host 3 ahead of it, by way of switch 2, one branch waits when the channel fails.
    if (waits) ship(one, 0, 2, 3, 50, by_ports({2, 1, 1}));
    const auto broadcast = ship(one, waits ? 5 : 0, 0, 0, 40, by_ports({2}));
    one.shipments[broadcast].copies = 4;
    one.shipments[broadcast].descend = [](int) { return std::pair{0, 2}; };
    one.failures.push_back({Time{waits ? 500 : 100}, down});
    CAPTURE(waits);
    in_both(one, [&](const Result& result) {
      CHECK(result.outcomes[broadcast].lost);
      CHECK(result.outcomes[broadcast].deliveries == 2);
      for (const auto& reached : result.outcomes[broadcast].arrivals) CHECK(reached.host < 2);
      CHECK(result.lost == (waits ? 3U : 2U));  // hosts 2 and 3, and the packet ahead
      CHECK(result.left_over == 0);
    });
  }
}

namespace {

/// Some channels, those of hosts included, fail while packets are under way; most are repaired.
void add_outages(Case& one, Random random) {
  std::int64_t last_ps = 1;
  for (const Shipment& shipment : one.shipments) last_ps = std::max(last_ps, shipment.time.count());
  const double span_ps = 1.2 * static_cast<double>(last_ps) + 1e6;
  for (int outages = between(random, 1, 8); outages > 0; --outages) {
    // On a grid of rules' times, so that some fall on instants at which packets come and go.
    const auto instant = [&](double ps) { return Time{static_cast<std::int64_t>(ps) / 125 * 125}; };
    const Time from = instant(span_ps * random.uniform());
    const int channel = between(random, 0, static_cast<int>(one.wiring.channels.size()) - 1);
    const Time until = from + 125_ps + instant(0.3 * span_ps * random.exponential());
    one.failures.push_back({from, channel, chance(random, 0.8) ? until : never});
  }
}

/// @param all_arrive  without outages
void compare(std::uint64_t seed, Case one, bool all_arrive = true) {
  add_outages(one, {seed, "outages"});
  const auto difference = first_difference(one);
  INFO("seed " << seed << ": " << one.description << "; " << (difference ? difference->text : ""));
  REQUIRE(!difference);
  const Result result = run_case(one, net::Fidelity::worm);
  for (std::size_t i = 0; i < one.shipments.size(); ++i) {
    CAPTURE(i);
    const Outcome& outcome = result.outcomes[i];
    const int copies = one.shipments[i].copies;
    REQUIRE(outcome.deliveries <= (outcome.lost ? copies - 1 : copies));
    if (!all_arrive || result.left_over > 0) continue;  // some broadcasts lock each other
    REQUIRE((outcome.lost || outcome.deliveries == copies));
  }
}

void compare(int cases, const char* name, const CaseOptions& options, Case (*make)(Random&, const CaseOptions&)) {
  for (int seed = 0; seed < cases; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), name};
    Case one = make(random, options);
    for (auto& nic : one.wiring.nics) nic.rules.pool_flits = INT64_MAX;  // small pools may lock each other
    lead_tails(one.wiring, {static_cast<std::uint64_t>(seed), "tails"});
    compare(static_cast<std::uint64_t>(seed), std::move(one));
  }
}

}  // namespace

TEST_CASE("with outages each packet is delivered or lost once, at the same tick in both fidelities, by credits") {
  for (const bool circuits : {false, true})
    for (const bool repeaters : {false, true})
      compare(60, "credits", {.circuits = circuits, .repeaters = repeaters}, random_case);
  compare(60, "in transit", {.in_transit = true, .header_changes = true}, random_case);
  compare(40, "stored", {.store_and_forward = true}, random_case);
}

TEST_CASE("with outages each packet is delivered or lost once, at the same tick in both fidelities, by STOP and GO") {
  compare(60, "stop", {.stop_go = true}, random_case);
  compare(60, "stop", {.stop_go = true, .in_transit = true}, random_case);
  compare(60, "stop", {.stop_go = true, .repeaters = true}, random_case);
  compare(40, "irregular", {.stop_go = true, .in_transit = true}, irregular_case);
}

TEST_CASE("with outages adaptive routes and broadcasts are the same in both fidelities") {
  for (const bool circuits : {false, true}) {
    compare(60, "fat tree", {.circuits = circuits}, fat_tree_case);
    compare(60, "broadcasts", {.circuits = circuits, .broadcasts = true}, fat_tree_case);
  }
  compare(40, "clos", {}, clos_case);
}

TEST_CASE("with outages virtual channels that share a channel are the same in both fidelities") {
  for (const Sharing rule : {Sharing::hold, Sharing::flit})
    for (std::uint64_t seed = 0; seed < 120; ++seed) compare(seed, sharing_case(seed, rule), false);
}
