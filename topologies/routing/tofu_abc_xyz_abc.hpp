/// TOFU's routing: abc to a chosen point of the group, xyz to the destination's group, abc to the destination (S2
/// section 3). The choice of the point is what detours faulty nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

struct TofuChoices {
  std::vector<std::int64_t> faulty_nodes = {};            ///< numbers of nodes (switches) that no route may touch
  std::string faults_place = "routing tofu_abc_xyz_abc";  ///< where they come from, for messages
  bool random_via = false;  ///< the sender draws the point per packet instead of taking the first
};

/// Twelve alternatives per pair, one per abc point, in the order of the points from the source's own one on (and
/// round). Number 0 is thus the source's own point: no first abc phase, a shortest path, and all twelve xyz tori used
/// alike whatever the destinations. With faults, only points whose whole path avoids them count.
///
/// Virtual channels (FACTS 6.1): within each ring 0 before the wrap cable and 1 from there on; the last abc phase the
/// same two plus 2, four in all. So the phases and, within them, the axes and the datelines are an order in which
/// every route climbs, and no cycle of waiting can close.
/// Throws UserError where the graph is not a `tofu` or has no such node.
std::unique_ptr<Routing> tofu_abc_xyz_abc(const Graph& graph, const TofuChoices& choices = {});

}  // namespace sanvp::topologies
