/// The tables that node 0's driver (sw/ds_linkdrv) will compute from the cabling, computed in advance: whether they
/// yield the routes of the machine's routing, for which the proof is made.
#pragma once

#include <string>

#include "models/nic/nic_network.hpp"
#include "sw/abi/registers/stc104.h"

namespace sanvp::nic::stc104 {

/// The rule by which packets go up in the network, as far as its routing reveals it.
stc104_uplinks uplinks_of(const topologies::Graph& graph, const topologies::Routing& routing);

/// The reason why the driver's tables differ from the routing, as a sentence without its end. Empty if they do not.
std::string why_tables_differ(const NicNetwork& network);

}  // namespace sanvp::nic::stc104
