/// TOFU's routing: abc to a chosen point of the source's group, xyz to the destination's group, abc to the destination
/// (TOFU paper, section 3). The choice of the point lets routes avoid faulty nodes.
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
  std::string faults_place = "routing tofu_abc_xyz_abc";  ///< source of the numbers, for messages
  bool random_via = false;  ///< the sender draws the point per packet instead of taking the first
};

/// Twelve alternatives per pair, one per abc point, in the cyclic order of the points that starts at the source's own.
/// Alternative 0 is thus the source's own point: there is no first abc phase, the path is a shortest one, and the load
/// is even over all twelve xyz tori for any destinations. With faults, only points whose whole path avoids faulty nodes
/// count.
///
/// Virtual channels (FACTS 6.1): within each ring 0 before the wrap cable and 1 from there on; the last abc phase adds
/// 2 to them, which makes four in all. Every route passes the phases, their axes and the two sides of a dateline in
/// ascending order, so no cycle of waiting packets can form.
/// Throws UserError if the graph is not a `tofu` or has no node of that number.
std::unique_ptr<Routing> tofu_abc_xyz_abc(const Graph& graph, const TofuChoices& choices = {});

}  // namespace sanvp::topologies
