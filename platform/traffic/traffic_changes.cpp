/// What may change in the middle of a traffic run.
#include <string>

#include "models/net/network.hpp"
#include "platform/core/error.hpp"
#include "platform/traffic/measurement.hpp"
#include "platform/traffic/traffic_nodes.hpp"

namespace sanvp::traffic {

void TrafficNodes::change_load(double factor) {
  const Time now = queue_.now();
  steps_.clear();
  for (const LoadStep& step : workload_.load.steps)
    if (step.from <= now) steps_.push_back(step);
  steps_.push_back({now, factor});
  for (int n = 0; n < under_test_.nodes(); ++n) {
    Node& node = nodes_[n];
    if (!pattern_.sends(n)) continue;
    if (node.behind) node.behind->arrivals.change(now, factor, steps_);
    const Time planned = node.generator.arrivals.now();
    node.generator.arrivals.change(now, factor, steps_);
    const Time changed = node.generator.arrivals.now();
    if (node.waiting > 0 || changed == planned || planned < now) continue;
    node.superseded = planned;
    schedule(generate_kind, n, changed);
  }
}

void TrafficNodes::reseed(std::uint64_t seed) {
  for (int n = 0; n < under_test_.nodes(); ++n) {
    const std::string name = "traffic." + std::to_string(n);
    Node& node = nodes_[n];
    node.routes = {seed, name + ".routes"};
    node.generator.destinations = {seed, name + ".destinations"};
    node.generator.sizes = {seed, name + ".sizes"};
    node.generator.arrivals.reseed({seed, name + ".arrivals"});
  }
}

void Measurement::change_load(const Load& load) {
  if (pattern_.pace() != Pattern::Pace::load)
    throw UserError("--load", "this pattern has a pace of its own, so its load cannot change");
  Workload changed = workload_;
  changed.load = load;
  for (int n = 0; n < under_test_.nodes(); ++n) {
    if (under_test_.wiring.nics[n].out < 0) continue;
    return traffic_nodes_.change_load(mean_interval_ps(under_test_, workload_, n) /
                                      mean_interval_ps(under_test_, changed, n));
  }
}

void Measurement::reseed(std::uint64_t seed) {
  network_.reseed(seed);
  traffic_nodes_.reseed(seed);
}

}  // namespace sanvp::traffic
