#include "tests/bench/workloads.hpp"

#include <ctime>

#include "platform/machine/machine.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/grid.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

namespace sanvp::bench {

namespace {

constexpr Time cycle{1000};  // of the other simulators: one flit on one channel

/// Three cycles a hop, as one has to give the other simulators: two on the channel, one to route.
constexpr net::ChannelRules channel{.flit_time = cycle,
                                    .tail_time = cycle,
                                    .delay = 2 * cycle,
                                    .flow = net::Credits{.buffer = 64, .return_delay = cycle}};
net::SwitchRules switch_rules() { return {.routing = cycle, .selection = net::output_selection_policy("random")}; }

}  // namespace

Workload tree(int levels, int flits, double load) {
  const topologies::Graph graph = topologies::fat_tree(4, levels);
  return {wire(graph, channel, switch_rules()),
          topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive),
          {.flits = flits, .flit_time = cycle, .load = load}};
}

Workload mesh(int flits, double load) {
  const topologies::Graph graph = topologies::grid({8, 8}, 1, 1);
  return {wire(graph, channel, switch_rules()),
          topologies::dimension_order(graph),
          {.flits = flits, .flit_time = cycle, .load = load}};
}

Workload machine(const std::string& name, int bytes, double load, int alternative) {
  const auto made = std::make_shared<const Machine>(MachineRequest{.name = name});
  const net::Wiring& wiring = made->wiring();
  return {wiring,
          {made, &made->routing()},
          {.flits = made->format().flits(bytes),
           .flit_time = wiring.channels[wiring.nics[0].out].rules.flit_time,
           .load = load,
           .alternative = alternative}};
}

Run::Run(const Workload& workload, net::Fidelity fidelity)
    : routing_(workload.routing),
      network_(workload.wiring, queue_, fidelity, 1),
      load_(network_, queue_, *routing_, workload.load),
      mean_gap_ps_(static_cast<double>(workload.load.flits * workload.load.flit_time.count()) /
                   (workload.load.load * static_cast<double>(workload.wiring.nics.size()))) {}

double Run::simulate(double packets) {
  load_.clear();
  network_.clear_statistics();
  events_before_ = queue_.processed();
  const Time from = queue_.now();
  const Time until = queue_.now() + Time{static_cast<std::int64_t>(packets * mean_gap_ps_)};
  const double start = cpu_seconds();
  queue_.run_until(until);
  const double seconds = cpu_seconds() - start;
  const auto channels = static_cast<int>(network_.wiring().channels.size());
  double held_ps = 0;
  for (int c = 0; c < channels; ++c) held_ps += static_cast<double>(network_.statistics(c).held_ps);
  mean_on_channel_ = held_ps / static_cast<double>((until - from).count()) / channels;
  return seconds;
}

double load_with(double (Run::*measured)() const, double target, Workload workload) {
  constexpr double warm_up_packets = 5'000, measured_packets = 20'000;
  constexpr int halvings = 10;  // of the interval 0..1: to a tenth of a per cent of the channel's rate
  double low = 0;
  double high = 1;
  for (int i = 0; i < halvings; ++i) {
    workload.load.load = (low + high) / 2;
    Run run(workload, net::Fidelity::worm);
    run.simulate(warm_up_packets);
    run.simulate(measured_packets);
    ((run.*measured)() < target ? low : high) = workload.load.load;
  }
  return (low + high) / 2;
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace sanvp::bench
