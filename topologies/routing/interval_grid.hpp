/// Interval labelling of grids: labels in row-major order, the last axis fastest.
#pragma once

#include "topologies/lattice.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/interval.hpp"

namespace sanvp::topologies {

/// Labels are the host numbers. All rows below a switch's own are one interval, and so are all rows above. A packet
/// therefore goes to its row first (YX order), and each direction has a single interval. Wrap cables of tori stay
/// unused (FACTS 3.2).
/// @param cables  fixed: each direction's interval is divided into one part per cable
IntervalLabelling interval_labels(const Lattice& lattice, Cables cables = Cables::grouped);

}  // namespace sanvp::topologies
