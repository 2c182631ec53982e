/// Routes to one destination that share their last steps, for the proof before time 0 (check.hpp).
#pragma once

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A second base of a Routing whose routes lead by an intermediate place, from which their steps no longer depend on
/// the source. The proof then makes and follows these steps once per place and destination, in place of once per route.
class SplitRoutes {
 public:
  /// Writes the first steps of a route into `head`: they are the same for all destinations, but for Step::preferred.
  /// Returns a number of the rest: routes to one destination that return it take the same steps after their heads. The
  /// numbers index a table, so they are small. Such routes have one path and pass no in-transit host.
  /// -1: nothing is known to be shared, and `head` has no meaning.
  virtual int split(int source, int alternative, Route& head) const = 0;

 protected:
  ~SplitRoutes() = default;
};

}  // namespace sanvp::topologies
