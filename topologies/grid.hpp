/// 2D grid (mesh) of switches, or one of any dimension.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Ports of a switch of a 2D grid: hosts, then the cables to the south (the next row), north, east and west. See
/// lattice.hpp.
/// @param sizes  switches along each axis: rows, columns (the last axis is the fastest)
/// @param cables  number of cables between two neighbours
/// @param place  names the source of the sizes in the message of the UserError that impossible sizes throw
Graph grid(const std::vector<int>& sizes, int hosts_per_switch, int cables, const std::string& place = "topology grid");

}  // namespace sanvp::topologies
