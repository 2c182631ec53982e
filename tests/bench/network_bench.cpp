/// Speed of the transport. CPU time, best of several stretches of one run after a warm-up: the machine may be busy with
/// other things, and whatever disturbs a stretch only makes it longer.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

#include "tests/bench/workloads.hpp"
#include "topologies/routing/in_transit.hpp"

namespace sanvp::bench {
namespace {

constexpr int stretches = 12;    // a benchmark's iterations
constexpr double warm_up = 0.5;  // of a stretch

/// One network and the best of its stretches so far.
class Measurement {
 public:
  Measurement(const Workload& workload, net::Fidelity fidelity, double packets)
      : packets_(packets), run_(workload, fidelity) {
    run_.simulate(warm_up * packets);
  }

  void measure() {
    const double seconds = run_.simulate(packets_);
    const auto packets = static_cast<double>(run_.load().packets());
    const auto hops = static_cast<double>(run_.load().hops());
    ns_per_packet = std::min(ns_per_packet, seconds * 1e9 / packets);
    ns_per_hop = std::min(ns_per_hop, seconds * 1e9 / hops);
    events_per_hop = static_cast<double>(run_.events()) / hops;
    measured_packets_ += packets;
    latency_sum_ns_ += packets * run_.load().mean_latency_ns();
  }

  double packets_per_second() const { return 1e9 / ns_per_packet; }
  /// Of all stretches: at high load one alone says little.
  double mean_latency_ns() const { return latency_sum_ns_ / measured_packets_; }
  const Run& run() const { return run_; }

  double ns_per_packet = std::numeric_limits<double>::infinity();
  double ns_per_hop = std::numeric_limits<double>::infinity();
  double events_per_hop = 0;

 private:
  double packets_;
  double measured_packets_ = 0;
  double latency_sum_ns_ = 0;
  Run run_;
};

void report(benchmark::State& state, const Measurement& measurement) {
  state.counters["packets/s"] = measurement.packets_per_second();
  state.counters["ns/hop"] = measurement.ns_per_hop;
  state.counters["events/hop"] = measurement.events_per_hop;
  state.counters["latency_ns"] = measurement.mean_latency_ns();
}

void speed(benchmark::State& state, Workload (*make)(), net::Fidelity fidelity, double packets) {
  Measurement measurement(make(), fidelity, packets);
  for ([[maybe_unused]] auto _ : state) measurement.measure();
  report(state, measurement);
}

// Enough packets for a tenth of a second or more, so that the clock's grain and the load's chance do not show.
constexpr double many = 60'000;
constexpr double few = 2'000;  // flit by flit

// Load and lengths are those of the measurements of other simulators (README.md).
Workload tree_64_20() { return tree(3, 20, 0.4); }
Workload tree_64_160() { return tree(3, 160, 0.4); }
Workload tree_1024() { return tree(5, 64, 0.3); }
Workload mesh_64() { return mesh(130, 0.135); }
Workload clos_1024() { return machine("macrame-clos-1024", 64, 0.5); }

/// Half of what `sanvp traffic myrinet-32 uniform --bytes 512 --saturation` finds.
constexpr double myrinet_load = 0.5 * 0.117;
Workload myrinet(int bytes, double load = myrinet_load) {
  return machine("myrinet-32", bytes, load, topologies::ud_itb_route);
}

void worm_against_flit(benchmark::State& state) {
  const Workload workload = myrinet(512);
  Measurement worm(workload, net::Fidelity::worm, many);
  Measurement flit(workload, net::Fidelity::flit, few);
  for ([[maybe_unused]] auto _ : state) {
    worm.measure();
    flit.measure();
  }
  report(state, worm);
  state.counters["flit_packets/s"] = flit.packets_per_second();
  state.counters["ratio"] = flit.ns_per_packet / worm.ns_per_packet;
}

/// A packet's cost does not depend on its length but on how many others it meets: so the short packets come at the
/// load at which as many of them are under way.
void long_against_short(benchmark::State& state, double (Run::*under_way)() const) {
  Measurement long_packets(myrinet(4096), net::Fidelity::worm, many);
  long_packets.measure();
  const double load = load_with(under_way, (long_packets.run().*under_way)(), myrinet(64));
  Measurement short_packets(myrinet(64, load), net::Fidelity::worm, many);
  for ([[maybe_unused]] auto _ : state) {
    long_packets.measure();
    short_packets.measure();
  }
  report(state, long_packets);
  state.counters["under_way"] = (long_packets.run().*under_way)();
  state.counters["short_under_way"] = (short_packets.run().*under_way)();
  state.counters["short_load"] = load;
  state.counters["ratio"] = long_packets.ns_per_packet / short_packets.ns_per_packet;
}

constexpr auto worm = net::Fidelity::worm;
constexpr auto flit = net::Fidelity::flit;
#define SANVP_SPEED(name, ...) \
  BENCHMARK_CAPTURE(speed, name, __VA_ARGS__)->Iterations(stretches)->Unit(benchmark::kMillisecond)
SANVP_SPEED(tree_64_20_flits, tree_64_20, worm, many);
SANVP_SPEED(tree_64_160_flits, tree_64_160, worm, many);
SANVP_SPEED(tree_64_20_flits_by_flit, tree_64_20, flit, few);
SANVP_SPEED(tree_64_160_flits_by_flit, tree_64_160, flit, few);
SANVP_SPEED(mesh_8x8_130_flits, mesh_64, worm, many);
SANVP_SPEED(tree_1024_64_flits, tree_1024, worm, many);
SANVP_SPEED(clos_1024_64_bytes, clos_1024, worm, many);
BENCHMARK(worm_against_flit)->Iterations(stretches)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(long_against_short, in_the_network, &Run::mean_in_network)
    ->Iterations(stretches)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(long_against_short, per_hop, &Run::mean_on_channel)
    ->Iterations(stretches)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sanvp::bench
