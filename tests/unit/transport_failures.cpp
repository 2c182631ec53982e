/// Channels that take no packets, from the beginning on; what becomes of those that fail later is in transport_outages.

#include <catch2/catch.hpp>

#include "tests/support/two_switches.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = TwoSwitches::flit_ps, D = TwoSwitches::delay_ps;

}  // namespace

TEST_CASE("a packet without a working output is lost, and its flits are drained so that the next one passes") {
  for (const bool circuit : {false, true}) {
    net::NicRules rules;
    rules.circuit = circuit;
    TwoSwitches net{rules};
    net.one.wiring.channels[net.first_cable].failed = true;
    const auto lost = net.across(0, 0, 64);
    const auto after = ship(net.one, 0, 0, 1, 16, by_ports({1}));
    CAPTURE(circuit);
    in_both(net.one, [&](const Result& result) {
      CHECK(result.outcomes[lost].lost);
      CHECK(result.outcomes[lost].deliveries == 0);
      CHECK(result.outcomes[lost].sent_ps ==
            (circuit ? 65 : 64) * T);  // nothing holds it up; refused long before its end
      CHECK_FALSE(result.outcomes[after].lost);
      CHECK(result.outcomes[after].deliveries == 1);
      CHECK(result.lost == 1);
      CHECK(result.left_over == 0);
    });
  }
}

TEST_CASE("a packet whose route is empty is lost unsent, and the next one of its host goes on") {
  TwoSwitches net;
  const auto lost = ship(net.one, 0, 0, 4, 64, by_ports({}));
  const auto after = ship(net.one, 0, 0, 1, 16, by_ports({1}));
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[lost].lost);
    CHECK(result.outcomes[lost].deliveries == 0);
    CHECK(result.outcomes[after].delivered_ps == 2 * D + 15 * T);
    CHECK(result.lost == 1);
  });
}

TEST_CASE("a group goes on with what works of it") {
  TwoSwitches net;
  net.one.wiring.channels[net.first_cable].failed = true;
  const auto first = net.across(0, 0, 10, 2);
  const auto second = net.across(0, 1, 10, 2);
  in_both(net.one, [&](const Result& result) {
    CHECK(result.outcomes[first].delivered_ps == 3 * D + 9 * T);
    CHECK(result.outcomes[second].delivered_ps == 3 * D + 19 * T);  // one after the other
    CHECK(result.lost == 0);
    CHECK(result.statistics[net.first_cable].packets == 0);
  });
}

TEST_CASE("a header that waits for a channel that fails takes another one of the group, if it is free") {
  // IdleFixed with both cables busy waits for the preferred one, 0, which then fails. The other is free at 310.
  TwoSwitches net{{}, "idle-fixed"};
  net.across(0, 0, 100, 2);
  net.across(0, 1, 30, 2);
  const auto waits = net.across(0, 2, 10, 2);
  Case healthy = net.one;
  net.one.failures.push_back({Time{200}, net.first_cable});
  const std::int64_t on_the_way = 2 * D + 9 * T;
  in_both(healthy, [&](const Result& result) { CHECK(result.outcomes[waits].delivered_ps == 1010 + on_the_way); });
  in_both(net.one, [&](const Result& result) { CHECK(result.outcomes[waits].delivered_ps == 310 + on_the_way); });
}
