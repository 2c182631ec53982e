/// Which of the routes in its table a NIC gives a packet: UD or in-transit, by length, by chance, by contention.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "platform/core/registry.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic {

/// What one NIC knows and does; it keeps state (the contention it has seen).
class RouteSelection {
 public:
  virtual ~RouteSelection() = default;

  /// The alternative (topologies::Routing) for a packet of `bytes`. Precondition: the pair is served.
  virtual int select(const topologies::Routing& routing, int source, int destination, std::int64_t bytes,
                     Random& random) = 0;

  /// A packet has left: its sending took from `start` (injected) to `end` (net::Endpoint::sent) and would have taken
  /// `unhindered` on an idle network.
  virtual void sent(Time /*start*/, Time /*end*/, Time /*unhindered*/) {}
};

/// Makes the selections of a machine's NICs. Reads its numbers from section [nic].
struct RouteSelectionPart {
  static constexpr const char* kind() { return "route selection"; }
  std::string name;
  std::string summary;
  /// Reads the parameters once and returns what makes a selection for one NIC.
  std::function<std::function<std::unique_ptr<RouteSelection>()>(const Parameters&)> build;
};

}  // namespace sanvp::nic
