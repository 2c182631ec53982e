/// Random irregular networks of switches, as a cluster grows in a building (Myrinet paper, section 4.1; FACTS.md 2.1).
#pragma once

#include <cstdint>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Defaults are the paper's: 8-port switches with exactly four hosts each, the rest of the ports for other switches.
struct IrregularSizes {
  int switches = 8;
  int hosts_per_switch = 4;
  int ports = 8;
};

/// A random connected graph with at most one link between two switches and as many ports cabled as possible.
/// Hosts are numbered switch by switch and sit on the lowest ports. Family "irregular", shape {switches, hosts per
/// switch, ports}. Throws UserError where the ports do not suffice to connect the switches.
Graph irregular(const IrregularSizes& sizes, std::uint64_t seed);

}  // namespace sanvp::topologies
