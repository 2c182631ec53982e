/// Which hosts of a graph are connected by cables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Connected components: for each host the lowest host of its component. A host without a cable is a component of its
/// own.
std::vector<int> connected_parts(const Graph& graph);

/// Said of two hosts in different components, in the place of what a routing says.
inline constexpr const char* not_joined = "no cables that work join them";

/// Whether each host can reach each other.
bool joins_all_hosts(const Graph& graph);

/// The first network that joins all hosts. Throws UserError at `place`, the key of its cables, if none of 100 does.
Graph first_that_joins_all_hosts(const std::function<Graph()>& draw, const std::string& place);

}  // namespace sanvp::topologies
