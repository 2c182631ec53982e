/// The network that the cards of a machine are on, as far as a card may ask about it.
#pragma once

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic {

/// The references outlive it.
struct NicNetwork {
  const topologies::Graph& graph;
  const topologies::Graph& working_graph;  ///< without what has failed
  const topologies::Routing& routing;      ///< for which the proof is made
};

}  // namespace sanvp::nic
