/// 2D grid (mesh) of switches, or one of any dimension.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Ports of a switch of a 2D grid: hosts, then the cables south (to the next row), north, east, west. See lattice.hpp.
/// @param sizes  switches along each axis: rows, columns (the last axis is the fastest)
/// @param cables  between two neighbours
/// @param place  where the sizes come from, for the message of the UserError thrown where they are impossible
Graph grid(const std::vector<int>& sizes, int hosts_per_switch, int cables, const std::string& place = "topology grid");

}  // namespace sanvp::topologies
