/// What the card's ROM says of the network (registers.h, struct e3_position): where the card sits, and where packets do
/// not climb a whole fat tree adaptively, the way to each node. A driver of the time had this from the network's
/// management.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/nic_network.hpp"

namespace sanvp::nic::elan3 {

/// Throws UserError where a route does not fit into a record, or the ROM has no room for so many nodes.
std::vector<std::byte> network_map(const NicNetwork& network, int host);

}  // namespace sanvp::nic::elan3
