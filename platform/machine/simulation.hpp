/// Runs a machine's network in the SystemC kernel until all packets are delivered or it cannot continue.
#pragma once

#include <functional>
#include <optional>

#include "models/net/fabric.hpp"
#include "models/net/packet_observers.hpp"
#include "platform/core/progress.hpp"
#include "platform/faults/outages.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {

class Simulation {
 public:
  enum class End {
    idle,    ///< no event is left; deadlock() tells whether packets are stuck
    until,   ///< the given time is reached
    paused,  ///< keep_going returned false
  };

  /// One per process: SystemC elaborates once.
  Simulation(const Machine& machine, net::Fidelity fidelity);

  net::Network& network() { return fabric_.network(); }
  net::EventQueue& queue() { return timeline_.queue(); }
  Time now() { return queue().now(); }

  /// The observer outlives the run, or is forgotten.
  void observe_packets(net::PacketObserver& observer);
  void forget_packets(net::PacketObserver& observer);

  /// Null if no part fails during the run.
  faults::Outages* outages() { return outages_ ? &*outages_ : nullptr; }

  /// @param keep_going  called every few hundred instants
  End run(Time until = never, std::function<bool()> keep_going = {});

  /// Names the worms that wait for each other for ever; empty if none do.
  std::string deadlock() const { return deadlock_; }

 private:
  net::Timeline timeline_{"timeline", net::Lead::to_next_event};  // nothing outside acts
  net::Fabric fabric_;
  std::optional<faults::Outages> outages_;
  net::PacketObservers packet_observers_;
  std::string deadlock_;
};

}  // namespace sanvp
