/// Up*/down* by destination: what tables of intervals, which do not know where a packet came from, can hold of a
/// network of which some parts have failed.
#pragma once

#include <memory>

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

struct UpDownTableOptions {
  bool grouped_up =
      true;  ///< the switch takes any free one of equally good ports up, else each switch's hosts have one
  bool grouped_down = true;  ///< the same of ports down
  int strip_at_host = 0;     ///< header flits that the last switch deletes
};

/// A packet goes down as soon as some way that only goes down leads to its destination, else up by the shortest way.
/// Once down it stays so, hence no cycle of waiting closes. A switch's ports form groups, the same for all
/// destinations, as an STC104's links do: the ports up that serve all that must go up, as far as they are adjacent and
/// the steps behind them are the same; else adjacent ports to one switch. Failed ports are left in, since a switch
/// passes over them.
///
/// Where some switches have no hosts, up is away from the hosts, as in a Clos; where that leaves two hosts apart that
/// cables join, and wherever all switches have hosts, up is towards the root of a breadth-first tree (Orientation).
/// Then every two hosts that cables join have a route.
/// @param working  a graph of which failed cables are unplugged (working_part); outlives the result
std::unique_ptr<Routing> up_down_tables(const Graph& working, const UpDownTableOptions& options = {});

}  // namespace sanvp::topologies
