/// 2D torus of switches, or one of any dimension: a grid with wrap cables.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Ports as on the grid. Two switches on an axis are joined by two groups of cables, one of them the wrap cables.
/// @param sizes  switches along each axis: rows, columns (the last axis is the fastest)
/// @param cables  between two neighbours
/// @param place  where the sizes come from, for the message of the UserError thrown where they are impossible
Graph torus(const std::vector<int>& sizes, int hosts_per_switch, int cables,
            const std::string& place = "topology torus");

}  // namespace sanvp::topologies
