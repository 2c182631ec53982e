/// Virtual channels and flow-control tokens that share a channel on networks of real machines: every packet is
/// delivered at the same tick in both fidelities, at any load, and once.

#include <catch2/catch.hpp>

#include "tests/support/difference.hpp"
#include "tests/support/hand_network.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_topology.hpp"
#include "tests/support/sharing_case.hpp"
#include "topologies/clos.hpp"
#include "topologies/routing/clos_grouped.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

/// As on DS links (TIMING.md, parameters): batches of 8 come as tokens of 40 ns on the reverse channel, buffers of 64.
Case ds_link_like(Random& random, int flits, double load) {
  const topologies::Graph graph = topologies::clos(16, 8);
  net::ChannelRules cable = link_rules(100'000, 150'000, net::Credits{.buffer = 64, .batch = 8, .token_time = 40ns});
  cable.tail_time = 40ns;
  Case one;
  one.wiring = wire(graph, {.routing = 1us}, {}, [&] { return cable; });
  const auto routes = topologies::clos_grouped(graph, {});
  add_uniform(one, random, *routes, graph.host_count(), 40, flits, 100ns, load);
  return one;
}

}  // namespace

TEST_CASE("virtual channels share a channel as on QsNET at the same ticks in both fidelities, at any load") {
  for (const Sharing rule : {Sharing::hold, Sharing::flit})
    for (const double load : {0.2, 0.4, 2.0})
      for (int seed = 0; seed < 8; ++seed) {
        Random random{static_cast<std::uint64_t>(seed), "QsNET-like"};
        const auto difference = first_difference(qsnet_like(random, load, rule));
        INFO("load " << load << ", seed " << seed << ": " << (difference ? difference->text : ""));
        REQUIRE(!difference);
      }
}

TEST_CASE("flow-control tokens take turns with data as on DS links at the same ticks in both fidelities, at any load") {
  for (const int flits : {20, 67, 200})
    for (const double load : {0.15, 0.3, 2.0})
      for (int seed = 0; seed < 3; ++seed) {
        Random random{static_cast<std::uint64_t>(seed), "DS-link-like"};
        const auto difference = first_difference(ds_link_like(random, flits, load));
        INFO(flits << " flits, load " << load << ", seed " << seed << ": " << (difference ? difference->text : ""));
        REQUIRE(!difference);
      }
}

TEST_CASE("whatever virtual channels and tokens do, every packet is delivered once in both fidelities") {
  for (const CaseOptions& options : {CaseOptions{.virtual_channels = 2},
                                     {.virtual_channels = 3},
                                     {.virtual_channels = 2, .hold = true},
                                     {.circuits = true, .virtual_channels = 3, .hold = true},
                                     {.tokens = true},
                                     {.virtual_channels = 2, .tokens = true},
                                     {.circuits = true, .virtual_channels = 2},
                                     {.in_transit = true, .virtual_channels = 2},
                                     {.virtual_channels = 2, .header_changes = true},
                                     {.tokens = true, .repeaters = true}})
    for (int seed = 0; seed < 10; ++seed) {
      Random random{static_cast<std::uint64_t>(seed), "sharing"};
      Case one = random_case(random, options);
      for (auto& nic : one.wiring.nics) nic.rules.pool_flits = INT64_MAX;  // small pools may lock each other
      CAPTURE(seed, options.in_transit, options.circuits, options.virtual_channels, options.tokens, one.description);
      in_both(one, [&](const Result& result) {
        REQUIRE(result.left_over == 0);
        for (const Outcome& outcome : result.outcomes) REQUIRE(outcome.deliveries == 1);
      });
    }
}
