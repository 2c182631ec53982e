/// Routes of a folded Clos of STC104s: parallel cables are groups of adjacent links (FACTS.md 3.2).
#pragma once

#include <memory>

#include "topologies/routing/interval.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// What chooses the uplink.
enum class ClosUp {
  adaptive,   ///< the switch: all uplinks are one group (grouped adaptive routing)
  fixed,      ///< the destination: each uplink serves an equal share of the labels outside, in ascending order
  universal,  ///< the source: a random centre per packet (two-phase routing); there is one alternative per centre
};

struct ClosRoutingOptions {
  ClosUp up = ClosUp::adaptive;
  bool fixed_down =
      false;  ///< each cable down serves an equal share of the labels below; otherwise the cables are one group
  int header_bytes = 2;        ///< length of the random header that universal routing prepends, and of a deleted header
  bool delete_header = false;  ///< whether the last switch deletes the header instead of handing it to the host
};

/// Routes of a graph that clos() built, computed from the two host numbers. For all three choices, each switch has one
/// group of cables down to each destination, or one cable of that group.
/// Universal: the source's leaf prepends a random header, and the centre named by the header deletes it and forwards
/// the packet. Every packet passes its centre, even between hosts of one leaf, so the first phase only uses cables up
/// and the second only cables down, and no cycle can form.
/// `graph` may lack failed cables (working_part). Universal routing then draws from the centres that still lead to all
/// leaves. Without such a centre, and for the other choices, the routes are those of up_down_tables.
std::unique_ptr<Routing> clos_grouped(const Graph& graph, const ClosRoutingOptions& options);

/// The interval tables that an STC104 holds for these routes; a host's label is its number.
/// Throws UserError for ClosUp::universal, because there the labels of the random phase precede these tables.
IntervalLabelling clos_intervals(const Graph& graph, const ClosRoutingOptions& options);

}  // namespace sanvp::topologies
