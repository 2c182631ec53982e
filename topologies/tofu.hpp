/// TOFU ("torus fusion"): a torus of groups of twelve nodes, six-dimensional or flattened to two (FACTS 6.1).
#pragma once

#include <string>

#include "topologies/graph.hpp"
#include "topologies/lattice.hpp"

namespace sanvp::topologies {

/// Nodes of one abc group: 2 x 3 x 2.
inline constexpr int tofu_group_nodes = 12;

/// The 6D machine: x, y and z are rings of groups, a and c pairs, b a ring of three. Hosts are numbered group by group,
/// the point (a, b, c) of a group by a, then b, then c. Ports of a node: hosts, then x+ x- y+ y- z+ z- a b+ b- c.
/// @param place  names the source of the sizes in the message of the UserError that impossible sizes throw
Graph tofu(int x, int y, int z, int hosts_per_node = 1, const std::string& place = "topology tofu");

/// The simulation model of TOFU paper 4.3: x is the group, y the index in the group. Cables join equal indices of
/// adjacent groups (twelve cables between two groups, TOFU paper figure 5). Ports of a node: hosts, then x+ x- y+ y-.
/// @param x_kind,y_kind  chain or ring; the paper does not say which. Its switch has no virtual channels, and without
///                       them only chains cannot deadlock.
Graph tofu_flat(int groups, int hosts_per_node = 1, Axis::Kind x_kind = Axis::Kind::chain,
                Axis::Kind y_kind = Axis::Kind::chain);

}  // namespace sanvp::topologies
