/// Interval labelling of grids: row-major labels, the last axis last.
#pragma once

#include "topologies/lattice.hpp"
#include "topologies/routing/dimension_order.hpp"
#include "topologies/routing/interval.hpp"

namespace sanvp::topologies {

/// Labels are the host numbers. All rows below a switch's own are one interval, as are all rows above, so a packet goes
/// to its row first (YX order) and each direction owns a single interval. Wrap cables of tori stay unused (FACTS 3.2).
/// @param cables  fixed: a direction's interval is cut into one piece per cable
IntervalLabelling interval_labels(const Lattice& lattice, Cables cables = Cables::grouped);

}  // namespace sanvp::topologies
