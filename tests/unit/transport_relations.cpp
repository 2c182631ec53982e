/// Switches that decide at each hop: both fidelities decide alike, and what is proved free from deadlock never stops.

#include <catch2/catch.hpp>

#include "tests/support/difference.hpp"
#include "tests/support/random_topology.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

/// @return how many cases had more packets than they could hold at once
void compare_relations(const CaseOptions& options, std::uint64_t first, std::uint64_t cases) {
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random{seed, "relations"};
    const Case one = relation_case(random, options);
    INFO("seed " << seed << ": " << one.description);
    const Result flit = run_case(one, net::Fidelity::flit);
    CHECK(flit.deadlock.empty());
    CHECK(flit.left_over == 0);
    const auto difference = first_difference(one);
    INFO((difference ? difference->text : ""));
    REQUIRE(!difference);
  }
}

}  // namespace

TEST_CASE("worm equals flit, and no packet is left over: relations on random networks beyond saturation") {
  compare_relations({.virtual_channels = 6}, 0, 140);
}

TEST_CASE("worm equals flit, and no packet is left over: relations, channels that are held") {
  compare_relations({.virtual_channels = 6, .hold = true}, 1000, 60);
}
