/// Dimension-order routing on grids, tori and TOFU: one axis after another (XY, XYZ...), each in the shortest
/// direction.
#pragma once

#include <memory>
#include <string>

#include "topologies/graph.hpp"
#include "topologies/lattice.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// Which of the parallel cables of a direction a packet takes.
enum class Cables {
  grouped,  ///< any free one: the route permits the whole group
  fixed,    ///< the one that the destination's number selects
};

/// Universal routing: a packet first goes to a switch drawn at random, and from there to its destination. The two
/// phases must not share buffers, or packets could wait for each other in a cycle.
enum class Universal {
  none,              ///< no universal routing
  virtual_channels,  ///< each phase has its own virtual channels
  link_sets,         ///< the first phase uses the first half of each direction's cables, the second phase the rest
};

/// Which packets take a ring's second virtual channel.
enum class Dateline {
  cable,   ///< all, from the wrap cable on
  packet,  ///< those that pass the wrap cable, on their whole way along the axis
};

/// Virtual channels: on a ring 0 before the wrap cable and 1 from there on (wrap `shortest`), any on other axes. With
/// Universal::virtual_channels the phases use 0 and 1, or on tori 0..1 and 2..3.
struct DimensionOrder {
  std::string order = {};  ///< names of all axes in the order taken; empty: alphabetical (x first; on TOFU, abc first)
  std::string order_place = "routing dimension_order";  ///< source of the order, for messages
  Wrap wrap = Wrap::shortest;
  Dateline dateline = Dateline::cable;
  Cables cables = Cables::grouped;
  Universal universal = Universal::none;
  bool detours =
      true;  ///< where failures have left no cable of some direction: up_down_tables; else pairs lack a route
  int random_header_flits = 0;  ///< universal routing: added by the first switch, removed by the drawn switch
};

/// `graph` may lack failed cables (working_part).
/// One route per pair; with universal routing one per intermediate switch, of which the sender draws one at random. For
/// destinations halfway round a ring of even size, hosts with even numbers send up and odd ones down, so that both
/// directions carry the same load.
/// Throws UserError if the graph has no axes, the order is not one of its axes, or link sets have too few cables.
std::unique_ptr<Routing> dimension_order(const Graph& graph, const DimensionOrder& choices = {});

/// Appends the hops of a run along `axis` to a route.
/// @param vc  virtual channel before the ring's wrap cable; from there on it is vc + 1. Step::any_vc: any
void append(const Lattice& lattice, int axis, const Run& run, Step step, std::uint8_t vc, Route& route);

}  // namespace sanvp::topologies
