/// Where flow-control tokens take time from a channel's data, `worm` is not exact. It must still deliver every packet
/// once, be near `flit` in mean latency and throughput in each single case, and within 1 % of it in the mean over
/// cases, so that it errs to no side. Where virtual channels share a channel, every packet is delivered at the same
/// tick.

#include <fmt/core.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

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

constexpr double bound_of_mean = 0.01;

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

/// What one quantity of several cases of one kind is, by both fidelities.
struct Compared {
  const char* name;
  std::vector<double> flit{}, worm{};

  double deviation(std::size_t i) const { return worm[i] / flit[i] - 1; }
};

/// Each case deviates by less than `bound_of_case`, and their mean by less than 1 % and by less than it is certain.
void check(const std::string& what, const Compared& compared, double bound_of_case) {
  double largest = 0;
  for (std::size_t seed = 0; seed < compared.flit.size(); ++seed) {
    INFO(fmt::format("{}, seed {}: worm deviates by {:+.2f} % in {}", what, seed, 100 * compared.deviation(seed),
                     compared.name));
    CHECK(std::abs(compared.deviation(seed)) < bound_of_case);
    if (std::abs(compared.deviation(seed)) > std::abs(largest)) largest = compared.deviation(seed);
  }
  const Mean flit = mean_of(compared.flit), worm = mean_of(compared.worm);
  const double deviation = worm.value / flit.value - 1;
  WARN(fmt::format("{}: worm deviates by {:+.2f} % in mean {} ({:.0f} +- {:.1f}), by {:+.2f} % at most", what,
                   100 * deviation, compared.name, flit.value, flit.half_interval, 100 * largest));
  CHECK(std::abs(deviation) < bound_of_mean);
  CHECK(std::abs(worm.value - flit.value) < flit.half_interval);
}

template <class MakeCase>
void compare(const std::string& what, int cases, double bound_of_case, MakeCase make_case) {
  Compared latency{.name = "latency, ns"}, throughput{.name = "throughput, flits/us"};
  for (int seed = 0; seed < cases; ++seed) {
    Random random{static_cast<std::uint64_t>(seed), what};
    const Case one = make_case(random);
    const Measured flit = measure(one, net::Fidelity::flit), worm = measure(one, net::Fidelity::worm);
    latency.flit.push_back(flit.latency_ns);
    latency.worm.push_back(worm.latency_ns);
    throughput.flit.push_back(flit.flits_per_us);
    throughput.worm.push_back(worm.flits_per_us);
  }
  check(what, latency, bound_of_case);
  check(what, throughput, bound_of_case);
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

// Light, medium and swamped. Not just below saturation, where a case is chaotic: a random delay of packets by a flit or
// two moves `flit` itself by 5 % in a case of medium load, and by 3 % in overload. So a case is bounded as its load
// allows: the largest deviations found are 0.4 % in light load, 5.9 % in medium load, 11.8 % in overload (67 flits). In
// the mean over cases they cancel out; 64 cases of overload leave about 0.4 %.
TEST_CASE("flow-control tokens as on DS links deviate by less than 1 % in light load and 8 % in medium load") {
  for (const int flits : {20, 67, 200})
    for (const auto& [load, bound_of_case] : {std::pair{0.15, 0.01}, std::pair{0.3, 0.08}})
      compare(fmt::format("DS-link-like, {} flits, load {}", flits, load), 12, bound_of_case,
              [&, load = load](Random& random) { return ds_link_like(random, flits, load); });
}

TEST_CASE("flow-control tokens of swamped DS links deviate by less than 15 % in each case") {
  for (const int flits : {20, 67})
    compare(fmt::format("DS-link-like, {} flits, load 2", flits), 64, 0.15,
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
