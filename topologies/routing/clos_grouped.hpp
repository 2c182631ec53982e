/// Routes of a folded Clos of STC104s: parallel cables are groups of adjacent links (FACTS.md 3.2).
#pragma once

#include <memory>

#include "topologies/routing/interval.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// Who chooses the way up.
enum class ClosUp {
  adaptive,   ///< the switch: all uplinks are one group (grouped adaptive routing)
  fixed,      ///< the destination: each uplink owns an equal share of the labels outside, in ascending order
  universal,  ///< the source: a random centre per packet (two-phase routing); an alternative for each centre
};

struct ClosRoutingOptions {
  ClosUp up = ClosUp::adaptive;
  bool fixed_down = false;     ///< each cable down owns an equal share of the labels below; else they are one group
  int header_bytes = 2;        ///< of the random header that universal routing prepends, and of a deleted header
  bool delete_header = false;  ///< whether the last switch deletes the header instead of handing it to the host
};

/// Routes of a graph that clos built, computed from the two numbers. Downwards every destination has one group of
/// cables per switch, in all three choices, or one cable of it.
/// Universal: the source's leaf prepends a random header, and the centre it names deletes it and routes on. Every
/// packet goes through its centre, also between hosts of one leaf; so the first phase uses cables up and the second
/// cables down, and no cycle can form.
/// `graph` may lack failed cables (working_part): universal routing then draws from the centres that still lead to all
/// leaves; without one, and in the other choices, the routes are up_down_tables.
std::unique_ptr<Routing> clos_grouped(const Graph& graph, const ClosRoutingOptions& options);

/// The interval tables that an STC104 holds for these routes; a host's label is its number.
/// Throws UserError for ClosUp::universal, where the labels of the random phase come before these tables.
IntervalLabelling clos_intervals(const Graph& graph, const ClosRoutingOptions& options);

}  // namespace sanvp::topologies
