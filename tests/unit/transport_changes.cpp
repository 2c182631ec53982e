/// Links that take other times during a run: `worm` equals `flit`, packets under way keep the old ones, and a change
/// before the first packet is a network that was built so.

#include <algorithm>

#include "tests/support/difference.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"
#include "tests/support/sharing_case.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

/// Other times for about half of the channels; under STOP/GO none with which more is on the way.
net::Wiring with_other_times(net::Wiring wiring, Random random) {
  static constexpr std::int64_t factors[] = {1, 2, 3, 7, 10};  // of four
  const auto draw = [&](std::int64_t least) {
    return std::max(least, factors[static_cast<std::size_t>(between(random, 0, 4))]);
  };
  for (auto& channel : wiring.channels) {
    if (chance(random, 0.5)) continue;
    net::ChannelRules& rules = channel.rules;
    const bool stop_go = std::holds_alternative<net::StopGo>(rules.flow);
    const std::int64_t rate = draw(stop_go ? 7 : 1), delay = stop_go ? std::min<std::int64_t>(draw(1), 3) : draw(1);
    const bool leads = rules.tail_lead != Time{0};
    rules.flit_time = std::max(Time{1}, rules.flit_time * rate / 4);
    rules.tail_time = std::max(Time{1}, rules.tail_time * rate / 4);
    rules.delay = std::max(Time{1}, rules.delay * delay / 4);
    rules.control_hop = rules.control_hop * delay / 4;
    rules.wire = rules.wire * delay / 4;
    if (leads) rules.tail_lead = rules.flit_time - rules.tail_time;
    if (rules.tail_lead >= rules.delay) rules.delay = rules.tail_lead + Time{1};
  }
  return wiring;
}

Time last_shipment(const Case& one) {
  Time last{0};
  for (const Shipment& shipment : one.shipments) last = std::max(last, shipment.time);
  return last;
}

Look change_at(Time at, const net::Wiring& other) {
  return {.at = at, .take = [&other](net::Network& network) { network.change_links(other); }};
}

void compare(const Case& one, std::uint64_t seed) {
  Random random{seed, "changes"};
  const net::Wiring other = with_other_times(one.wiring, {seed, "other times"});
  other.validate();
  const Look look = change_at(last_shipment(one) * between(random, 0, 9) / 8, other);
  const Result flit = run_case(one, net::Fidelity::flit, look);
  const Result worm = run_case(one, net::Fidelity::worm, look);
  std::size_t first = 0;
  while (first < one.shipments.size() && flit.outcomes[first] == worm.outcomes[first]) ++first;
  INFO("case " << seed << ": " << one.description << "; change at " << look.at.count() << ", packet " << first
               << " differs");
  if (first < one.shipments.size()) {
    const Outcome &a = flit.outcomes[first], &b = worm.outcomes[first];
    CAPTURE(a.injected_ps, b.injected_ps, a.delivered_ps, b.delivered_ps, a.sent_ps, b.sent_ps);
    REQUIRE(flit.outcomes == worm.outcomes);
  }
  REQUIRE(flit.left_over == worm.left_over);
  for (std::size_t c = 0; c < one.wiring.channels.size(); ++c) {
    INFO(one.wiring.channels[c].name);
    REQUIRE(flit.statistics[c].busy_ps == worm.statistics[c].busy_ps);
    REQUIRE(flit.statistics[c].held_ps == worm.statistics[c].held_ps);
  }
}

template <class MakeCase>
void compare(int cases, const CaseOptions& options, MakeCase make_case) {
  for (int seed = 0; seed < cases; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), "fidelities"};
    Case one = make_case(random, options);
    lead_tails(one.wiring, {static_cast<std::uint64_t>(seed), "tails"});
    compare(one, static_cast<std::uint64_t>(seed));
  }
}

}  // namespace

TEST_CASE("links that change send every packet at the same tick in both fidelities: one virtual channel") {
  for (const bool by_stop_go : {false, true})
    for (const bool circuits : {false, true}) {
      compare(60, {.stop_go = by_stop_go, .circuits = circuits}, random_case);
      compare(60, {.stop_go = by_stop_go, .in_transit = true, .header_changes = true}, random_case);
      compare(40, {.stop_go = by_stop_go, .circuits = circuits}, fat_tree_case);
      compare(40, {.stop_go = by_stop_go}, irregular_case);
    }
  compare(60, {.store_and_forward = true}, random_case);
  compare(60, {.repeaters = true}, random_case);
  compare(60, {.failures = true}, random_case);
}

TEST_CASE("links that change send every packet at the same tick in both fidelities: channels that are shared") {
  for (const Sharing rule : {Sharing::hold, Sharing::flit, Sharing::tokens})
    for (std::uint64_t seed = 0; seed < 100; ++seed) compare(sharing_case(seed, rule), seed);
}

TEST_CASE("a change before the first packet is a network that was built so") {
  for (const bool by_stop_go : {false, true})
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random{seed, "built so"};
      Case one = random_case(random, {.stop_go = by_stop_go, .circuits = !by_stop_go});
      for (Shipment& shipment : one.shipments) shipment.time += Time{10};
      const net::Wiring other = with_other_times(one.wiring, {seed, "other times"});
      Case built = one;
      built.wiring = other;
      for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
        INFO("case " << seed);
        const Result changed = run_case(one, fidelity, change_at(Time{5}, other));
        const Result straight = run_case(built, fidelity);
        REQUIRE(changed.outcomes == straight.outcomes);
        for (std::size_t c = 0; c < one.wiring.channels.size(); ++c)
          REQUIRE(changed.statistics[c].busy_ps == straight.statistics[c].busy_ps);
      }
    }
}

TEST_CASE("packets under way keep the old times, and the next one has the new ones") {
  // Alone in a star: two cables' delays, and the flits behind the header; no time in the switch.
  Case one = star(2, link_rules(10, 100));
  const std::size_t before = ship_in_star(one, 0, 0, 1, 4), during = ship_in_star(one, 950, 0, 1, 4),
                    after = ship_in_star(one, 2000, 0, 1, 4);
  net::Wiring other = one.wiring;
  for (auto& channel : other.channels) {
    channel.rules.flit_time = channel.rules.tail_time = Time{20};
    channel.rules.delay = Time{50};
  }
  // At 1000 the packet has the first cable; it gets the second one at 1050.
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    std::size_t left = 0;
    Look look{.at = Time{1000}, .take = [&](net::Network& network) {
                network.change_links(other);
                left = network.unchanged_links();
              }};
    const Result result = run_case(one, fidelity, look);
    CHECK(left == 4);
    CHECK(result.outcomes[before].delivered_ps == 2 * 100 + 3 * 10);
    CHECK(result.outcomes[during].delivered_ps == 950 + 100 + 50 + 3 * 20);
    CHECK(result.outcomes[after].delivered_ps == 2000 + 2 * 50 + 3 * 20);
    CHECK(result.statistics[0].busy_ps == 8 * 10 + 4 * 20);
  }
}

TEST_CASE("a link that is never idle keeps its times") {
  // The second packet gets the channel in the instant in which the first one's tail has left it.
  Case one = star(2, link_rules(10, 100));
  const std::size_t first = ship_in_star(one, 0, 0, 1, 10), second = ship_in_star(one, 0, 0, 1, 10);
  net::Wiring other = one.wiring;
  other.channels[0].rules.delay = Time{500};
  for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
    const Result result = run_case(one, fidelity, change_at(Time{50}, other));
    CHECK(result.outcomes[first].delivered_ps == 2 * 100 + 9 * 10);
    CHECK(result.outcomes[second].delivered_ps == 100 + 2 * 100 + 9 * 10);
  }
}
