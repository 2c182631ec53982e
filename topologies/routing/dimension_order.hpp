/// Dimension-order routing on grids, tori and TOFU: one axis after the other (XY, XYZ...), each the shortest way.
#pragma once

#include <memory>
#include <string>

#include "topologies/graph.hpp"
#include "topologies/lattice.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// How a packet finds one of the parallel cables of a direction.
enum class Cables {
  grouped,  ///< any free one: the whole group is permitted
  fixed,    ///< the one its destination's number picks
};

/// Universal routing: a packet goes to a switch drawn at random first, and from there to its destination. The two
/// phases must not share buffers, or they wait for each other in a circle.
enum class Universal {
  none,
  virtual_channels,  ///< each phase has virtual channels of its own
  link_sets,         ///< the first phase has the first half of each direction's cables, the second phase the rest
};

/// Virtual channels: 0 on a ring before its wrap cable and 1 from there on (wrap `shortest`), any on other axes. With
/// Universal::virtual_channels the phases have 0 and 1, or on tori 0..1 and 2..3.
struct DimensionOrder {
  std::string order = {};  ///< names of all axes in the order taken; empty: alphabetical (x first, or TOFU's abc first)
  std::string order_place = "routing dimension_order";  ///< where the order comes from, for messages
  Wrap wrap = Wrap::shortest;
  Cables cables = Cables::grouped;
  Universal universal = Universal::none;
  bool detours =
      true;  ///< where failures have left no cable of some direction: up_down_tables; else pairs lack a route
  int random_header_flits = 0;  ///< universal: put in front by the first switch, removed by the one drawn
};

/// `graph` may lack failed cables (working_part).
/// One route per pair; with universal routing one per intermediate switch, to be drawn at random. Halfway round a ring
/// of even size, hosts with even numbers go up and odd ones down, so that both ways carry the same load.
/// Throws UserError where the graph has no axes, the order is not one of its axes, or link sets lack cables.
std::unique_ptr<Routing> dimension_order(const Graph& graph, const DimensionOrder& choices = {});

/// Appends the hops of a run along `axis` to a route.
/// @param vc  virtual channel before the ring's wrap cable; vc + 1 follows. Step::any_vc: free
void append(const Lattice& lattice, int axis, const Run& run, Step step, std::uint8_t vc, Route& route);

}  // namespace sanvp::topologies
