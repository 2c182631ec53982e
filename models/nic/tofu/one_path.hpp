/// Packets of one pair must not overtake each other, so a route that leaves switches a choice is narrowed to one path.
#pragma once

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::nic::tofu {

/// If a route has two paths, takes the first. Among several permitted ports takes one that works, a different one for
/// different `turn`; of any free virtual channel the first. The last step may use any channel: its packets come from
/// one buffer, in order.
void keep_to_one_path(const topologies::Graph& working, int source, int turn, topologies::Route& route);

}  // namespace sanvp::nic::tofu
