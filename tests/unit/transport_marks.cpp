/// Packets that congested switches mark (TIMING.md, "Marks").

#include <catch2/catch.hpp>
#include <vector>

#include "models/net/marking.hpp"
#include "platform/core/parameters.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::int64_t T = 10, D = 10;

std::vector<bool> marks(const Case& one, net::Fidelity fidelity) {
  std::vector<bool> marked;
  for (const Outcome& outcome : run_case(one, fidelity).outcomes) {
    CHECK(outcome.deliveries == 1);
    marked.push_back(outcome.marked);
  }
  return marked;
}

void check_marks(Case one, net::Marking rule, const std::vector<bool>& expected) {
  one.wiring.looks_at_queues = true;
  for (net::Wiring::Switch& unit : one.wiring.switches) unit.rules.marking = rule;
  INFO("threshold " << rule.threshold << (rule.victims ? ", victims too" : ""));
  CHECK(marks(one, net::Fidelity::flit) == expected);
  CHECK(marks(one, net::Fidelity::worm) == expected);
}

net::Marking red(const std::string& least, const std::string& most, const std::string& probability) {
  ParameterSet set = ParameterSet::from_text(
      "[switch]\nred_least = " + least + "B\nred_most = " + most + "B" + "\nred_probability = " + probability + "\n",
      "test");
  return Registry<net::MarkingPart>::get("red", "test").build(Parameters(set, "switch"), 1);
}

void compare_marked(const Case& drawn, std::uint64_t seed, int& marked, const net::Marking* rule = nullptr) {
  Case one = drawn;
  make_switches_mark(one.wiring, {seed, "marks"});
  for (net::Wiring::Switch& unit : one.wiring.switches)
    if (rule != nullptr && unit.rules.marking.threshold > 0) unit.rules.marking = *rule;
  const auto difference = first_difference(one);
  INFO("seed " << seed << ": " << one.description << "; " << (difference ? difference->text : ""));
  REQUIRE(!difference);
  for (const Outcome& outcome : run_case(one, net::Fidelity::worm).outcomes) marked += outcome.marked ? 1 : 0;
}

}  // namespace

TEST_CASE("a packet is marked if what waits for its output has reached the threshold when it gets the output") {
  // Three packets for host 3 reach the switch at 10. That of host 0 goes on at once and has its tail out at 110. Then
  // 10 and 6 flits wait, of which that of host 1 goes on; when its tail is out, at 210, the 6 of host 2 are left.
  Case one = star(4, link_rules(T, D));
  ship_in_star(one, 0, 0, 3, 10);
  ship_in_star(one, 0, 1, 3, 10);
  ship_in_star(one, 0, 2, 3, 6);
  check_marks(one, {.threshold = 1}, {false, true, true});
  check_marks(one, {.threshold = 6}, {false, true, true});
  check_marks(one, {.threshold = 7}, {false, true, false});
  check_marks(one, {.threshold = 16}, {false, true, false});
  check_marks(one, {.threshold = 17}, {false, false, false});
  check_marks(one, {}, {false, false, false});
}

TEST_CASE("a packet that only passes a switch is not marked, however full its buffer") {
  // The second packet of host 0 has waited in the input behind the first, which waits for host 2; its own output is
  // free.
  Case one = star(4, link_rules(T, D));
  ship_in_star(one, 0, 1, 2, 100);
  ship_in_star(one, 10, 0, 2, 10);
  ship_in_star(one, 20, 0, 3, 10);
  check_marks(one, {.threshold = 1}, {false, true, false});
}

TEST_CASE("a switch marks packets that wait for a cable behind which the buffer is full only if it marks victims") {
  // Host 0 of switch 0 and host 2 of switch 1 send to host 2's neighbour: the packet of switch 0 gets stuck in the
  // cable between, whose buffer of 50 flits fills, and one of host 1 waits behind it in switch 0, for another goal.
  const net::ChannelRules cable = link_rules(T, D, net::Credits{.buffer = 50});
  Case one;
  one.wiring.add_switch("s0", 3, {});
  one.wiring.add_switch("s1", 4, {});
  for (int h = 0; h < 5; ++h) {
    one.wiring.add_nic("h" + std::to_string(h), {});
    one.wiring.connect(nic(h), h < 2 ? port(0, h) : port(1, h - 2), cable, cable);
  }
  one.wiring.connect(port(0, 2), port(1, 3), cable, cable);
  ship(one, 0, 2, 3, 400, by_ports({1}));      // keeps host 3 busy until 4010
  ship(one, 0, 0, 3, 100, by_ports({2, 1}));   // waits in switch 1
  ship(one, 50, 1, 4, 100, by_ports({2, 2}));  // waits in switch 0 until the tail before it has left, with 49 in front
  check_marks(one, {.threshold = 40}, {false, true, false});
  check_marks(one, {.threshold = 40, .victims = true}, {false, true, true});
}

TEST_CASE("RED marks no packet up to Kmin, all from Kmax on, and between them the share that rises to Pmax") {
  const net::Marking rule = red("100", "300", "0.4");
  CHECK(rule.threshold == 100);
  Random random{1, "red"};
  const auto share = [&](std::int64_t queue) {
    constexpr int draws = 20'000;
    int marked = 0;
    for (int i = 0; i < draws; ++i) marked += rule.policy->marks(queue, random) ? 1 : 0;
    return static_cast<double>(marked) / draws;
  };
  CHECK(share(100) == 0);
  CHECK(share(150) == Approx(0.1).margin(0.012));  // five standard deviations
  CHECK(share(200) == Approx(0.2).margin(0.015));
  CHECK(share(299) == Approx(0.4 * 199 / 200).margin(0.018));
  CHECK(share(300) == 1);
  CHECK_THROWS_WITH(red("300", "100", "0.4"), Catch::Contains("red_least"));
}

TEST_CASE("RED of one length of queue is a threshold") {
  Case one = star(4, link_rules(T, D));
  ship_in_star(one, 0, 0, 3, 10);
  ship_in_star(one, 0, 1, 3, 10);
  ship_in_star(one, 0, 2, 3, 6);
  check_marks(one, red("16", "16", "0"), {false, true, false});
  check_marks(one, red("7", "17", "0"), {false, false, false});
  check_marks(one, red("17", "17", "1"), {false, false, false});
}

TEST_CASE("worm equals flit where packets are marked by chance") {
  int marked = 0;
  const net::Marking rule = red("1", "10", "0.9");
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random{seed, "red"};
    compare_marked(irregular_case(random, {.virtual_channels = 2}), seed, marked, &rule);
    compare_marked(relation_case(random, {.virtual_channels = 6}), seed, marked, &rule);
  }
  CHECK(marked > 20);
}

TEST_CASE("worm equals flit, marks included, on random networks") {
  int marked = 0;
  constexpr std::uint64_t cases = 40;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const auto draw = [&](auto make, const CaseOptions& options) {
      Random random{seed, "marked"};
      compare_marked(make(random, options), seed, marked);
    };
    draw(irregular_case, {});
    draw(irregular_case, {.virtual_channels = 2, .hold = true});
    draw(irregular_case, {.store_and_forward = true});
    draw(irregular_case, {.repeaters = true});
    draw(fat_tree_case, {.circuits = true, .virtual_channels = 2});
    draw(fat_tree_case, {.stop_go = true});
    draw(two_paths_case, {.virtual_channels = 3});
    draw(relation_case, {.virtual_channels = 6});
  }
  CHECK(marked > 200);
}
