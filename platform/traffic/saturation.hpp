/// Finds the saturation throughput: the largest load of which the network accepts at least 98 % (TIMING.md). The
/// accepted load in deep overload is a different quantity, which can be lower or higher.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "platform/traffic/summary.hpp"

namespace sanvp::traffic {

struct Saturation {
  std::vector<Summary> probes;     ///< in the order in which they were made
  std::optional<Summary> highest;  ///< the probe at the largest accepted load; empty if no load was accepted
  double least_refused = 0;        ///< the least load that was not accepted; 0 if all were
};

/// Bisection over fractions of the link rate.
/// @param run_at      performs a separate run at the given load; `likely_next` are the loads that the search may ask
/// for
///                    after it, the nearest first, so that runs at them can begin meanwhile
/// @param highest     the first probe; if it is accepted, it is the result
/// @param resolution  the search ends when accepted and refused loads differ by no more than this
Saturation find_saturation(const std::function<Summary(const Load& load, const std::vector<Load>& likely_next)>& run_at,
                           double highest, double resolution);

}  // namespace sanvp::traffic
