/// Which hosts of a graph are connected by cables.
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Connected components: for each host the lowest host of its component. A host without a cable is a component of its
/// own.
std::vector<int> connected_parts(const Graph& graph);

/// Whether each host can reach each other.
bool joins_all_hosts(const Graph& graph);

}  // namespace sanvp::topologies
