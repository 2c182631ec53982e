/// The networks whose speed is measured (README.md), ready to run.
#pragma once

#include <memory>
#include <string>

#include "models/net/network.hpp"
#include "tests/bench/network_load.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::bench {

struct Workload {
  net::Wiring wiring;
  std::shared_ptr<const topologies::Routing> routing;
  UniformLoad::Options load;
};

/// 4-ary tree of 4^levels hosts, buffers of 64 flits.
Workload tree(int levels, int flits, double load);
/// 8x8 mesh of one host per switch, dimension order, buffers of 64 flits.
Workload mesh(int flits, double load);
/// The machine of that name in platform/machines.
/// @param alternative  among the routes of a pair
Workload machine(const std::string& name, int bytes, double load, int alternative = 0);

/// A workload's network at work. Pure C++: what is measured is the transport, without the kernel.
class Run {
 public:
  Run(const Workload& workload, net::Fidelity fidelity);

  /// Clears the counts, and simulates for as long as it takes to generate about so many packets. @return CPU seconds
  double simulate(double packets);

  const UniformLoad& load() const { return load_; }
  /// Of the last simulate().
  std::uint64_t events() const { return queue_.processed() - events_before_; }
  /// Of the last simulate(): packets under way at once, in the whole network and on a channel. A long one is on several
  /// channels at once.
  double mean_in_network() const { return load_.mean_in_network(); }
  double mean_on_channel() const { return mean_on_channel_; }

 private:
  std::shared_ptr<const topologies::Routing> routing_;
  net::EventQueue queue_;
  net::Network network_;
  UniformLoad load_;
  double mean_gap_ps_;  ///< between packets of all hosts
  std::uint64_t events_before_ = 0;
  double mean_on_channel_ = 0;
};

/// The load at which so many packets are under way as `target` says; found by bisection. @param measured  which rises
/// with the load
double load_with(double (Run::*measured)() const, double target, Workload workload);

/// CPU time of this thread.
double cpu_seconds();

}  // namespace sanvp::bench
