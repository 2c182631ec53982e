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
};

/// A random connected graph with at most one link between two switches and as many cabled ports as possible.
/// Hosts are numbered switch by switch and use the lowest ports. Family "irregular", shape {switches, hosts per switch,
/// ports}. Throws UserError if there are too few ports to connect the switches.
Graph irregular(const IrregularSizes& sizes, std::uint64_t seed);

}  // namespace sanvp::topologies
