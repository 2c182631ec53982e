/// Where flow-control tokens take time from a channel's data, `worm` is not exact. It must still deliver every packet
/// once, and be within 1 % of `flit` in mean latency and throughput. Where virtual channels share a channel, every
/// packet is delivered at the same tick.

#include <fmt/core.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

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

constexpr double bound = 0.01;

struct Measured {
  double latency_ns = 0;
  double flits_per_us = 0;
};

Measured measure(const Case& one, net::Fidelity fidelity) {
  const Result result = run_case(one, fidelity);
  REQUIRE(result.left_over == 0);
  double latency_ps = 0, flits = 0, last_ps = 0;
  for (std::size_t i = 0; i < one.shipments.size(); ++i) {
    REQUIRE(result.outcomes[i].deliveries == 1);
    latency_ps += static_cast<double>(result.outcomes[i].delivered_ps - one.shipments[i].time.count());
    last_ps = std::max(last_ps, static_cast<double>(result.outcomes[i].delivered_ps));
    flits += one.shipments[i].flits;
  }
  return {latency_ps / 1e3 / static_cast<double>(one.shipments.size()), flits / last_ps * 1e6};
}

/// The mean over several cases of one kind, and the half of its 95 % confidence interval.
struct Mean {
  double value = 0;
  double half_interval = 0;
};

Mean mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  return {sum / n, 2 * std::sqrt(squares / (n - 1) / n)};
}

/// Several cases of one kind: the mean of `worm` lies within the confidence interval of `flit`.
template <class MakeCase>
void compare(const std::string& what, int cases, MakeCase make_case) {
  std::vector<double> latencies[2], throughputs[2];
  for (int seed = 0; seed < cases; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), what};
    const Case one = make_case(random);
    for (const auto fidelity : {net::Fidelity::flit, net::Fidelity::worm}) {
      const Measured run = measure(one, fidelity);
      const int i = fidelity == net::Fidelity::flit ? 0 : 1;
      latencies[i].push_back(run.latency_ns);
      throughputs[i].push_back(run.flits_per_us);
    }
  }
  const auto check = [&](const char* name, const std::vector<double>(&values)[2]) {
    const Mean flit = mean_of(values[0]), worm = mean_of(values[1]);
    const double deviation = worm.value / flit.value - 1;
    WARN(fmt::format("{}: worm deviates by {:+.2f} % in {} ({:.0f} +- {:.1f})", what, 100 * deviation, name, flit.value,
                     flit.half_interval));
    CHECK(std::abs(deviation) < bound);
    CHECK(std::abs(worm.value - flit.value) < flit.half_interval);
  };
  check("mean latency, ns", latencies);
  check("throughput, flits/us", throughputs);
}

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

// Light, medium and swamped. Not just below saturation, where a case is chaotic: delaying packets by a flit or two at
// random moves `flit` itself by 5 % per case, in overload by 3 %. Hence so many cases; what remains of it in their mean
// is about 0.4 %.
TEST_CASE("flow-control tokens as on DS links deviate by less than 1 %") {
  for (const int flits : {20, 67, 200})
    for (const double load : {0.15, 0.3})
      compare(fmt::format("DS-link-like, {} flits, load {}", flits, load), 12,
              [&](Random& random) { return ds_link_like(random, flits, load); });
}

TEST_CASE("flow-control tokens of swamped DS links deviate by less than 1 %") {
  for (const int flits : {20, 67})
    compare(fmt::format("DS-link-like, {} flits, load 2", flits), 64,
            [&](Random& random) { return ds_link_like(random, flits, 2.0); });
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
