/// The card's ROM describes the network (registers.h, struct e3_position): the card's position, and, unless the network
/// is a complete fat tree with adaptive routes, the route to each node. A driver of the time got this from the
/// network's management.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/module.hpp"

namespace sanvp::nic::elan3 {

/// Throws UserError if a route does not fit into a record, or the ROM is too small for so many nodes.
std::vector<std::byte> network_map(const NicContext& context);

}  // namespace sanvp::nic::elan3
