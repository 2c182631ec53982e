/// `worm` equals `flit` where virtual channels or flow-control tokens share a channel: the first of the random cases
/// that tests/exactness draws for as long as one likes, and those on which the two differed once.

#include <catch2/catch.hpp>
#include <initializer_list>

#include "tests/support/difference.hpp"
#include "tests/support/random_topology.hpp"
#include "tests/support/sharing_case.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr std::uint64_t first_cases = 150;

void compare(const Case& one, std::uint64_t seed) {
  const auto difference = first_difference(one);
  INFO("seed " << seed << ": " << one.description << "; " << (difference ? difference->text : ""));
  REQUIRE(!difference);
}

/// @param also  on these the fidelities differed once; on some before tails had an arrival of their own
void compare_first(Sharing rule, std::initializer_list<std::uint64_t> also) {
  for (std::uint64_t seed = 0; seed < first_cases; ++seed) compare(sharing_case(seed, rule), seed);
  for (const std::uint64_t seed : also) {
    Case one = sharing_case(seed, rule);
    compare(one, seed);
    for (auto& channel : one.wiring.channels) channel.rules.tail_lead = Time{0};
    compare(one, seed);
  }
}

}  // namespace

TEST_CASE("a channel that holds a virtual channel sends every packet at the same tick in both fidelities") {
  compare_first(Sharing::hold, {270,  289,  294,  316,  341,   617,   757,   817,    821,    969,   1004,
                                1577, 1765, 2271, 2303, 24744, 52512, 69800, 100400, 102070, 403621});
}

TEST_CASE("a channel shared by flit sends every packet at the same tick in both fidelities") {
  compare_first(Sharing::flit, {125, 162, 210, 269, 559, 1100673});
}

TEST_CASE("flow-control tokens take turns with data at the same ticks in both fidelities") {
  compare_first(Sharing::tokens, {1004742, 1009092, 1017989, 1035021, 1044358});
}

TEST_CASE("so they do on cables with one virtual channel in one direction and several in the other") {
  for (std::uint64_t seed = 0; seed < first_cases; ++seed) {
    Case one = sharing_case(seed, Sharing::tokens);
    auto& channels = one.wiring.channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].reverse > static_cast<int>(c)) channels[c].rules.virtual_channels = 1;
    compare(one, seed);
  }
}

TEST_CASE("where links send damaged packets again, every packet is sent at the same tick in both fidelities") {
  const auto compare_with_retries = [](Sharing rule, std::uint64_t seed) {
    Case one = sharing_case(seed, rule);
    make_links_retry(one.wiring, {seed, "retry"});
    compare(one, seed);
  };
  for (const Sharing rule : {Sharing::hold, Sharing::flit, Sharing::tokens})
    for (std::uint64_t seed = 0; seed < first_cases; ++seed) compare_with_retries(rule, seed);
  compare_with_retries(Sharing::tokens, 1031059);  // on which the fidelities differed once
}

TEST_CASE("a header that comes sooner than was planned is routed once by a software router") {
  // Two cases of many: what is left of the old plan must fall on the instant at which the processor is done with it.
  for (const std::uint64_t seed : {15061, 15938}) {
    Random random{seed, "stored"};
    compare(irregular_case(random, {.virtual_channels = 2, .store_and_forward = true}), seed);
  }
}
