/// A machine's network at work: in the SystemC kernel, until all is done or something is in the way.
#pragma once

#include <functional>
#include <optional>

#include "models/net/fabric.hpp"
#include "platform/core/progress.hpp"
#include "platform/faults/outages.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {

class Simulation {
 public:
  enum class End {
    idle,    ///< nothing more happens; deadlock() says whether that is good
    until,   ///< the time given is reached
    paused,  ///< keep_going said so
  };

  /// One per process: SystemC elaborates once.
  Simulation(const Machine& machine, net::Fidelity fidelity);

  net::Network& network() { return fabric_.network(); }
  net::EventQueue& queue() { return timeline_.queue(); }
  Time now() { return queue().now(); }

  /// Null where nothing fails during the run.
  faults::Outages* outages() { return outages_ ? &*outages_ : nullptr; }

  /// @param keep_going  asked every few hundred instants
  End run(Time until = never, std::function<bool()> keep_going = {});

  /// Worms that wait for each other for ever, named; empty where there are none.
  std::string deadlock() const { return deadlock_; }

 private:
  net::Timeline timeline_{"timeline"};
  net::Fabric fabric_;
  std::optional<faults::Outages> outages_;
  std::string deadlock_;
};

}  // namespace sanvp
