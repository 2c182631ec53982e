/// Channels that take no packets, from the beginning on; what becomes of those that fail later is in transport_outages.

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

/// Three hosts on each of two switches, and two cables between them, at ports 3 and 4: channels 12 and 14.
struct Two {
  Case one;
  int first_cable = 0;
  int second_cable = 0;

  explicit Two(const net::NicRules& nic_rules = {}, const std::string& selection = "first") {
    const net::ChannelRules cable = link_rules(T, D, net::Credits{.buffer = 4});
    for (int s = 0; s < 2; ++s)
      one.wiring.add_switch("s" + std::to_string(s), 5, {.selection = net::output_selection_policy(selection)});
    for (int h = 0; h < 6; ++h) {
      one.wiring.add_nic("h" + std::to_string(h), nic_rules);
      one.wiring.connect(nic(h), port(h / 3, h % 3), cable, cable);
    }
    first_cable = one.wiring.connect(port(0, 3), port(1, 3), cable, cable);
    second_cable = one.wiring.connect(port(0, 4), port(1, 4), cable, cable);
  }

  std::size_t across(std::int64_t ps, int host, int flits, int ports = 1) {
    topologies::Route route = by_ports({3, host});
    route.steps[0].ports = static_cast<std::uint16_t>(ports);
    return ship(one, ps, host, host + 3, flits, route);
  }
};

}  // namespace

TEST_CASE("a packet without a working output is lost, and its flits are drained so that the next one passes") {
  for (const bool circuit : {false, true}) {
    net::NicRules rules;
    rules.circuit = circuit;
    Two net{rules};
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
  Two net;
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
  Two net;
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
  Two net{{}, "idle-fixed"};
  net.across(0, 0, 100, 2);
  net.across(0, 1, 30, 2);
  const auto waits = net.across(0, 2, 10, 2);
  Case healthy = net.one;
  net.one.failures.push_back({Time{200}, net.first_cable});
  const std::int64_t on_the_way = 2 * D + 9 * T;
  in_both(healthy, [&](const Result& result) { CHECK(result.outcomes[waits].delivered_ps == 1010 + on_the_way); });
  in_both(net.one, [&](const Result& result) { CHECK(result.outcomes[waits].delivered_ps == 310 + on_the_way); });
}
