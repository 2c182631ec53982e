/// Circuits: the EOP follows the acknowledgement, and closes the path behind it (QsNET).

#include <catch2/catch.hpp>

#include "tests/support/hand_network.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 25, T_a = 40, hop = 13;
constexpr int flits = 16;

net::ChannelRules cable() {
  net::ChannelRules rules = link_rules(T, D);
  rules.control_hop = Time{hop};
  return rules;
}

net::NicRules nic_rules() {
  net::NicRules rules;
  rules.circuit = true;
  rules.acknowledge = Time{T_a};
  return rules;
}

}  // namespace

TEST_CASE("the EOP leaves when the acknowledgement has come back hop by hop") {
  for (const int switches : {2, 3, 6}) {
    Case one = row(switches, cable(), {.routing = Time{7}}, nic_rules());
    topologies::Route route;
    for (int s = 0; s + 1 < switches; ++s) route.steps.push_back({.port = 2});
    route.steps.push_back({.port = 0});
    ship(one, 0, 0, switches - 1, flits, route);
    const std::int64_t delivered = (switches + 1) * D + switches * 7 + (flits - 1) * T;
    const std::int64_t acknowledged = delivered + T_a + (switches + 1) * hop;
    in_both(one, [&](const Result& result) {
      CHECK(result.outcomes[0].delivered_ps == delivered);
      CHECK(result.outcomes[0].sent_ps == acknowledged + T);
      CHECK(result.left_over == 0);
    });
  }
}

TEST_CASE("the path is owned until the EOP has passed: the header that waits for the output starts in that instant") {
  Case one = star(3, cable(), {}, nic_rules());
  ship_in_star(one, 0, 0, 2, flits);
  ship_in_star(one, 0, 1, 2, flits);
  const std::int64_t delivered = 2 * D + (flits - 1) * T;
  const std::int64_t eop_leaves_switch = delivered + T_a + 2 * hop + D;
  in_both(one, [&](const Result& result) {
    CHECK(result.outcomes[0].delivered_ps == delivered);
    CHECK(result.outcomes[1].delivered_ps == eop_leaves_switch + T + (flits - 1) * T + D);
    CHECK(result.statistics[5].held_ps == 2 * (eop_leaves_switch + T - D));
  });
}

TEST_CASE("a short EOP closes the path after its own length, not a flit's, in each switch") {
  // As DS links would: an EOP takes 4, and is in the switch D - (T - 4) after its start.
  constexpr std::int64_t T_tail = 4, D_tail = D - (T - T_tail);
  for (const bool hold : {false, true}) {
    net::ChannelRules rules = cable();
    rules.tail_time = Time{T_tail};
    rules.tail_lead = Time{T - T_tail};
    rules.virtual_channels = hold ? 2 : 1;
    rules.hold = hold;
    Case one = star(3, rules, {}, nic_rules());
    ship_in_star(one, 0, 0, 2, flits);
    ship_in_star(one, 0, 1, 2, flits);
    if (hold) one.wiring.channels[5].rules.virtual_channels = 1;  // to host 2: one circuit at a time
    const std::int64_t delivered = 2 * D + (flits - 1) * T;
    const std::int64_t acknowledged = delivered + T_a + 2 * hop;
    in_both(one, [&](const Result& result) {
      CHECK(result.outcomes[0].delivered_ps == delivered);
      CHECK(result.outcomes[0].sent_ps == acknowledged + T_tail);
      const std::int64_t output_free = acknowledged + D_tail + T_tail;
      CHECK(result.outcomes[1].delivered_ps == output_free + (flits - 1) * T + D);
    });
  }
}

TEST_CASE("without circuits the tail closes the path itself") {
  Case one = star(3, cable(), {}, {});
  ship_in_star(one, 0, 0, 2, flits);
  ship_in_star(one, 0, 1, 2, flits);
  in_both(one, [](const Result& result) {
    CHECK(result.outcomes[0].sent_ps == flits * T);
    CHECK(result.outcomes[1].delivered_ps == D + 2 * flits * T - T + D);
  });
}
