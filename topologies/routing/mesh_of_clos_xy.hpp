/// Routes of the Mesh of Clos: up to a mesh layer, XY in it, down (Mesh of Clos paper 2.1 and 4.2.1).
#pragma once

#include <memory>

#include "topologies/routing/tree_steps.hpp"

namespace sanvp::topologies {

/// Routes of a graph that mesh_of_clos() built. Inside a cluster a packet climbs to a nearest common ancestor only. To
/// another cluster it climbs to a mesh layer, goes east or west, then north or south, all in that layer, and descends.
/// @param layer  fixed: all packets of source p use layer p mod layers; inside a cluster, the same up ports as far as
///               needed. Adaptive: each switch on the way up may use all its up ports, and `preferred` is the fixed
///               one; the switch's output-selection policy (Random, RoundRobin, IdleFixed, IdleRnd) chooses among them.
std::unique_ptr<Routing> mesh_of_clos_xy(const Graph& graph, UpChoice layer);

}  // namespace sanvp::topologies
