/// The card's ROM describes the network (registers/elan3.h, struct e3_position): the card's position, and, unless the
/// network is a complete fat tree with adaptive routes, the route to each node. A driver of the time got this from the
/// network's management.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/nic_network.hpp"

namespace sanvp::nic::elan3 {

/// Throws UserError in all cases in which network_map would for some host.
void check_network_map(const NicNetwork& network);
/// Throws UserError if a route does not fit into a record, or the ROM is too small for so many nodes.
std::vector<std::byte> network_map(const NicNetwork& network, int host);

}  // namespace sanvp::nic::elan3
