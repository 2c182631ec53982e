/// One path for each flow, so that no channel is crossed much more often than the others.
#pragma once

#include <vector>

#include "platform/core/random.hpp"
#include "topologies/routing/shortest_paths.hpp"

namespace sanvp::topologies {

/// Pairs of hosts that take the same path.
struct Flow {
  const std::vector<SwitchPath>* paths;  ///< to choose from; not empty
  int weight = 1;                        ///< how many pairs of hosts it stands for
};

/// Keeps all paths of all flows at first, and then again and again drops one that crosses the channel crossed most, if
/// its flow has another, until each flow has one left (TIMING.md, Myrinet). Which of a channel's paths goes first is
/// drawn, so that no pair of switches is always the one to give way.
/// @return per flow the index of its path
std::vector<int> balance(const std::vector<Flow>& flows, int channels, Random& random);

}  // namespace sanvp::topologies
