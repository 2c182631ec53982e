/// What packets that hold channels have used of them so far (Network::under_way).

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/hand_network.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

/// Busy and held time of each channel, in turn.
using Uses = std::vector<std::int64_t>;

Uses uses(const Case& one, net::Fidelity fidelity, std::int64_t at_ps, Result* result = nullptr) {
  Uses all;
  const Result after = run_case(one, fidelity, {Time{at_ps}, [&](net::Network& network) {
                                                  for (const net::ChannelUse& use : network.under_way()) {
                                                    all.push_back(use.busy_ps);
                                                    all.push_back(use.held_ps);
                                                  }
                                                }});
  if (result != nullptr) *result = after;
  return all;
}

void check_uses(const Case& one, std::int64_t at_ps, const Uses& expected) {
  INFO("at " << at_ps);
  CHECK(uses(one, net::Fidelity::flit, at_ps) == expected);
  CHECK(uses(one, net::Fidelity::worm, at_ps) == expected);
}

/// Both fidelities say the same at instants at which packets are under way, and to ask changes nothing.
/// @param differ  the fidelities may: long worms under STOP/GO are not planned to the present (net::Flow::started)
void compare_uses(const Case& one, std::uint64_t seed, bool differ, int& busy) {
  INFO("seed " << seed << ": " << one.description);
  const Result undisturbed = run_case(one, net::Fidelity::worm);
  constexpr std::size_t looks = 5;
  for (std::size_t i = 0; i < undisturbed.outcomes.size(); i += undisturbed.outcomes.size() / looks + 1) {
    const Outcome& outcome = undisturbed.outcomes[i];
    if (outcome.delivered_ps < 0) continue;
    const std::int64_t at_ps = (outcome.injected_ps + outcome.delivered_ps) / 2;
    Result after;
    const Uses worm = uses(one, net::Fidelity::worm, at_ps, &after);
    INFO("at " << at_ps);
    if (!differ) REQUIRE(worm == uses(one, net::Fidelity::flit, at_ps));
    for (std::size_t channel = 0; channel < worm.size(); channel += 2)
      if (one.wiring.channels[channel / 2].rules.virtual_channels == 1) REQUIRE(worm[channel] <= worm[channel + 1]);
    REQUIRE(after.outcomes == undisturbed.outcomes);
    for (const std::int64_t ps : worm) busy += ps > 0 ? 1 : 0;
  }
}

}  // namespace

TEST_CASE("a channel has been busy for as long as flits have taken, and held since its grant") {
  // Channels 0 and 1 are of host 0's cable, from and to it, 2 and 3 of host 1's. The packet has the switch's output
  // from 10 on.
  Case one = star(2, link_rules(T, D));
  ship_in_star(one, 0, 0, 1, 10);
  check_uses(one, 5, {5, 5, 0, 0, 0, 0, 0, 0});
  check_uses(one, 55, {55, 55, 0, 0, 0, 0, 45, 45});
  check_uses(one, 105, {0, 0, 0, 0, 0, 0, 95, 95});
  check_uses(one, 115, {0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a packet that waits holds its channel without using it") {
  // That of host 1 waits in the switch from 10 to 1010, when that of host 0 is through; its buffer has 5 slots.
  Case one = star(3, link_rules(T, D, net::Credits{.buffer = 5}));
  ship_in_star(one, 0, 0, 2, 100);
  ship_in_star(one, 0, 1, 2, 20);
  check_uses(one, 500, {500, 500, 0, 0, 50, 500, 0, 0, 0, 0, 490, 490});
}

TEST_CASE("the EOP of a circuit on a channel that is held has its time right behind the data") {
  net::ChannelRules cable = link_rules(T, D);
  cable.hold = true;
  Case one = star(2, cable, {}, {.circuit = true});
  ship_in_star(one, 0, 0, 1, 10);
  check_uses(one, 105, {105, 105, 0, 0, 0, 0, 95, 95});
  check_uses(one, 115, {110, 115, 0, 0, 0, 0, 105, 105});
}

TEST_CASE("both fidelities know alike what channels have been used for in the middle of a run") {
  int busy = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto draw = [&](auto make, const CaseOptions& options) {
      Random random{seed, "use"};
      compare_uses(make(random, options), seed, options.stop_go, busy);
    };
    draw(irregular_case, {});
    draw(irregular_case, {.stop_go = true});
    draw(irregular_case, {.stop_go = true, .in_transit = true});
    draw(irregular_case, {.virtual_channels = 2});
    draw(irregular_case, {.store_and_forward = true});
    draw(fat_tree_case, {.circuits = true, .virtual_channels = 2, .hold = true});
    draw(relation_case, {.virtual_channels = 6});
  }
  CHECK(busy > 1000);
}
