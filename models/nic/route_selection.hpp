/// Selects one of the routes in a NIC's table for each packet: the first, a random one, by length, by contention.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platform/core/random.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/time.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic {

/// The selection of one NIC, with its state (such as the contention that it has seen).
class RouteSelection {
 public:
  virtual ~RouteSelection() = default;

  /// The alternative (topologies::Routing) for a packet of `bytes`. Precondition: the pair is served.
  virtual int select(const topologies::Routing& routing, int source, int destination, std::int64_t bytes,
                     Random& random) = 0;

  /// Called when a packet has left: it was sent from `start` (injected) to `end` (net::Endpoint::sent), and would have
  /// taken `unhindered` on an idle network.
  virtual void sent(Time /*start*/, Time /*end*/, Time /*unhindered*/) {}
};

/// Makes the selections of a machine's NICs. Reads its parameters from section [nic].
struct RouteSelectionPart {
  static constexpr const char* kind() { return "route selection"; }
  std::string name;
  std::string summary;
  /// Reads the parameters once and returns a factory of selections, one for each NIC.
  std::function<std::function<std::unique_ptr<RouteSelection>()>(const Parameters&)> build;
};

}  // namespace sanvp::nic
