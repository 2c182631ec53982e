/// Up*/down* routing by destination in a network with failed parts, in a form that interval tables can hold: they do
/// not know where a packet came from.
#pragma once

#include <memory>

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

struct UpDownTableOptions {
  bool grouped_up =
      true;  ///< the switch takes any free one of equally good ports up, else each switch's hosts have one
  bool grouped_down = true;  ///< the same for ports down
  int strip_at_host = 0;     ///< header flits that the last switch deletes
};

/// A packet goes down as soon as a path that only goes down leads to its destination, and otherwise up by the shortest
/// path. It never goes up again, so no cycle of waiting packets can form. The ports of a switch form groups that are
/// the same for all destinations, like the links of an STC104. The up ports that serve all destinations above, as far
/// as they are adjacent and lead to the same further steps, are one group; other groups are adjacent ports to one
/// switch. Failed ports stay in their group, because a switch skips them.
///
/// If some switches have no hosts, up is away from the hosts, as in a Clos. If that leaves two connected hosts without
/// a route, or if all switches have hosts, up is towards the root of a breadth-first tree (Orientation). Then every two
/// connected hosts have a route.
/// @param working  a graph whose failed cables are unplugged (working_part); outlives the result
std::unique_ptr<Routing> up_down_tables(const Graph& working, const UpDownTableOptions& options = {});

}  // namespace sanvp::topologies
