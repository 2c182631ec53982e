/// Which hosts of a graph are joined by cables at all.
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Of each host, the number of its part: that of the lowest host in it. A host without a cable is a part of its own.
std::vector<int> connected_parts(const Graph& graph);

}  // namespace sanvp::topologies
