/// Plain 2D grid of processors that route packets themselves, such as the transputers of the Parsytec GCel.
#pragma once

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// A node is a switch (the router, which is software on a transputer) with one host at port 0 and four links at ports 1
/// to 4: south, north, east, west.
Graph processor_grid(int rows, int columns);

}  // namespace sanvp::topologies
