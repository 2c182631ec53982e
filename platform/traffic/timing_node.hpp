/// The timing node of the Macramé testbed (section 3.1): sends time-stamped packets across the loaded network between
/// two given nodes.
#pragma once

#include <vector>

#include "platform/core/results.hpp"
#include "platform/traffic/traffic_nodes.hpp"

namespace sanvp::traffic {

struct TimingNodeSettings {
  Time interval{0};  ///< between probes; 0: no timing node
  int source = 0;
  int destination = 0;
  std::int64_t bytes = 0;
};

class TimingNode final : public net::EventHandler {
 public:
  struct Probe {
    Time generated;
    Time injected;
    Time delivered;
  };

  TimingNode(const TimingNodeSettings& settings, Time ends, TrafficNodes& nodes, net::EventQueue& queue);

  void handle(const net::Event& event) override;
  const std::vector<Probe>& probes() const { return probes_; }
  Table table() const;

 private:
  void schedule(Time at);

  TimingNodeSettings settings_;
  Time ends_;  ///< the latency that the NICs add, at both ends together
  TrafficNodes& nodes_;
  net::EventQueue& queue_;
  std::vector<Probe> probes_;
};

}  // namespace sanvp::traffic
