/// Finds the saturation throughput: the largest load of which the network accepts at least 98 % (TIMING.md). Accepted
/// load in deep overload is another thing: it can be lower or higher.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "platform/traffic/summary.hpp"

namespace sanvp::traffic {

struct Saturation {
  std::vector<Summary> probes;     ///< in the order in which they were made
  std::optional<Summary> highest;  ///< the probe at the largest load that was accepted; nothing: none was
  double least_refused = 0;        ///< the least load that was not accepted; 0: all were
};

/// Bisection over fractions of the link rate.
/// @param run_at      makes a run of its own at this load
/// @param highest     first probe; where it is accepted it is the answer
/// @param resolution  the search ends when accepted and refused loads are no further apart
Saturation find_saturation(const std::function<Summary(const Load&)>& run_at, double highest, double resolution);

}  // namespace sanvp::traffic
