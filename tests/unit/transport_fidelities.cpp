/// `worm` equals `flit`: every packet is injected, delivered and sent at the same tick, on random cases of every
/// combination of rules for which that is claimed (README of models/net). One virtual channel; no tokens.
/// Several test cases, so that ctest runs them side by side.

#include <catch2/catch.hpp>

#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

template <class MakeCase>
void compare(int cases, const CaseOptions& options, MakeCase make_case, bool links_retry = false) {
  for (int seed = 0; seed < cases; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), "fidelities"};
    Case one = make_case(random, options);
    lead_tails(one.wiring, {static_cast<std::uint64_t>(seed), "tails"});
    if (links_retry) make_links_retry(one.wiring, {static_cast<std::uint64_t>(seed), "retry"});
    const Result flit = run_case(one, net::Fidelity::flit);
    const Result worm = run_case(one, net::Fidelity::worm);
    std::size_t first = 0;
    while (first < one.shipments.size() && flit.outcomes[first] == worm.outcomes[first]) ++first;
    INFO("case " << seed << ": " << one.description << "; packet " << first << " differs");
    REQUIRE(flit.outcomes == worm.outcomes);
    REQUIRE(flit.left_over == worm.left_over);
    REQUIRE(flit.lost == worm.lost);
    CAPTURE(flit.left_over, flit.deadlock, worm.deadlock);
    REQUIRE(flit.deadlock.empty() == worm.deadlock.empty());
    for (std::size_t c = 0; c < one.wiring.channels.size(); ++c) {
      INFO(one.wiring.channels[c].name);
      REQUIRE(flit.statistics[c].wait_ps == worm.statistics[c].wait_ps);
      REQUIRE(flit.statistics[c].head_blocking_ps == worm.statistics[c].head_blocking_ps);
      REQUIRE(flit.statistics[c].held_ps == worm.statistics[c].held_ps);
      REQUIRE(flit.statistics[c].busy_ps == worm.statistics[c].busy_ps);
    }
  }
}

/// Every combination of a few options.
void compare_combinations(int cases, const CaseOptions& base, std::initializer_list<bool CaseOptions::*> toggles) {
  const std::vector<bool CaseOptions::*> list{toggles};
  for (std::size_t set = 0; set < std::size_t{1} << list.size(); ++set) {
    CaseOptions options = base;
    for (std::size_t i = 0; i < list.size(); ++i) options.*list[i] = (set >> i & 1U) != 0;
    CAPTURE(options.circuits, options.in_transit, options.header_changes, options.store_and_forward, options.repeaters,
            options.failures);
    compare(cases, options, random_case);
  }
}

const CaseOptions credits{};
const CaseOptions stop_go{.stop_go = true};

}  // namespace

TEST_CASE("worm equals flit: credits, with and without circuits, in-transit hosts and header changes") {
  compare_combinations(70, credits, {&CaseOptions::circuits, &CaseOptions::in_transit, &CaseOptions::header_changes});
}

TEST_CASE("worm equals flit: STOP and GO, with and without circuits, in-transit hosts and header changes") {
  compare_combinations(70, stop_go, {&CaseOptions::circuits, &CaseOptions::in_transit, &CaseOptions::header_changes});
}

TEST_CASE("worm equals flit: store and forward and software routers") {
  compare_combinations(40, {.store_and_forward = true}, {&CaseOptions::in_transit, &CaseOptions::header_changes});
}

TEST_CASE("worm equals flit: output buffers behind the crossbar, credits") {
  compare_combinations(50, {.repeaters = true},
                       {&CaseOptions::circuits, &CaseOptions::in_transit, &CaseOptions::stop_go});
}

TEST_CASE("worm equals flit: channels that fail on the way") {
  compare_combinations(50, {.failures = true},
                       {&CaseOptions::in_transit, &CaseOptions::header_changes, &CaseOptions::stop_go});
}

TEST_CASE("worm equals flit: links that send damaged packets again") {
  for (const bool by_stop_go : {false, true}) {
    const CaseOptions base{.stop_go = by_stop_go};
    compare(60, base, random_case, true);
    compare(60, base, irregular_case, true);
    compare(60, base, clos_case, true);
    CaseOptions changed = base;
    changed.in_transit = changed.header_changes = true;
    compare(60, changed, random_case, true);
  }
  compare(60, {.circuits = true}, fat_tree_case, true);
  compare(60, {.store_and_forward = true}, random_case, true);
  compare(60, {.repeaters = true}, random_case, true);
  compare(60, {.failures = true}, random_case, true);
}

TEST_CASE("worm equals flit: random irregular networks with up-down routes") {
  compare(60, credits, irregular_case);
  compare(60, stop_go, irregular_case);
}

TEST_CASE("worm equals flit: random irregular networks with in-transit hosts") {
  compare(60, {.in_transit = true}, irregular_case);
  compare(60, {.stop_go = true, .in_transit = true}, irregular_case);
}

TEST_CASE("worm equals flit: fat trees with adaptive ascent") {
  compare(60, credits, fat_tree_case);
  compare(60, {.circuits = true}, fat_tree_case);
  compare(60, stop_go, fat_tree_case);
}

TEST_CASE("worm equals flit: Clos networks with grouped links") {
  compare(60, credits, clos_case);
  compare(60, stop_go, clos_case);
}
