/// Random irregular networks of switches, like a cluster that grows in a building (Myrinet paper, section 4.1; FACTS.md
/// 2.1).
#pragma once

#include <cstdint>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// The defaults are those of the paper: 8-port switches with exactly four hosts each; the other ports join switches.
struct IrregularSizes {
  int switches = 8;
  int hosts_per_switch = 4;
  int ports = 8;
  int cables = 0;  ///< between switches; 0: as many as ports permit
};

/// A random connected graph with at most one link between two switches, and as many cables as `sizes` says.
/// Hosts are numbered switch by switch and use the lowest ports. Family "irregular", shape {switches, hosts per switch,
/// ports}. Throws UserError if ports or cables are too few to connect the switches, or ports too few for the cables.
Graph irregular(const IrregularSizes& sizes, std::uint64_t seed);

}  // namespace sanvp::topologies
