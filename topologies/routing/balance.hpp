/// One path for each flow, chosen so that no channel is crossed much more often than the others.
#pragma once

#include <functional>
#include <vector>

#include "platform/core/random.hpp"
#include "topologies/routing/shortest_paths.hpp"

namespace sanvp::topologies {

/// Pairs of hosts that use the same path.
struct Flow {
  const std::vector<SwitchPath>* paths;  ///< the alternatives; not empty
  int weight = 1;                        ///< number of pairs of hosts in this flow
};

/// Starts with all paths of all flows. Repeatedly finds the channel that is crossed most and drops a path through it
/// whose flow has another, until each flow has one path left (TIMING.md, Myrinet). The channel's path with the highest
/// cost is dropped first; the choice among equal ones is random, so that no pair of switches is always at a
/// disadvantage.
/// @param cost of a path; all the same unless given
/// @return per flow the index of its path
std::vector<int> balance(const std::vector<Flow>& flows, int channels, Random& random,
                         const std::function<int(const SwitchPath&)>& cost = {});

}  // namespace sanvp::topologies
