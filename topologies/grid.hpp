/// 2D grid (mesh) of switches, or one of any dimension.
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Ports of a switch of a 2D grid: hosts, then the cables south (to the next row), north, east, west. See lattice.hpp.
/// @param sizes  switches along each axis: rows, columns (the last axis is the fastest)
/// @param cables  between two neighbours
Graph grid(const std::vector<int>& sizes, int hosts_per_switch, int cables);

}  // namespace sanvp::topologies
