/// 2D torus of switches, or one of any dimension: a grid with wrap cables.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Ports are as on the grid. Two switches on an axis of size two are joined by two groups of cables, one of them the
/// wrap cables.
/// @param sizes  switches along each axis: rows, columns (the last axis is the fastest)
/// @param cables  number of cables between two neighbours
/// @param place  names the source of the sizes in the message of the UserError that impossible sizes throw
Graph torus(const std::vector<int>& sizes, int hosts_per_switch, int cables,
            const std::string& place = "topology torus");

}  // namespace sanvp::topologies
