/// The tables that node 0's driver (sw/ds_linkdrv) will compute from the cabling, worked out beforehand: whether they
/// lead as the machine's routing says, for which the proof is made.
#pragma once

#include <string>

#include "models/nic/nic_network.hpp"
#include "sw/abi/registers/stc104.h"

namespace sanvp::nic::stc104 {

/// How packets go up in the network, as far as its routing shows it.
stc104_uplinks uplinks_of(const topologies::Graph& graph, const topologies::Routing& routing);

/// Why the driver's tables are not those of the routing, as a sentence without its end. Empty where they are.
std::string why_tables_differ(const NicNetwork& network);

}  // namespace sanvp::nic::stc104
