/// What the card's ROM says of the network (registers.h, struct e3_position): where the card sits, and where some cable
/// does not work, the ways up that still lead to each node. A driver of the time had this from the network's
/// management.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/module.hpp"

namespace sanvp::nic::elan3 {

/// Throws UserError where the ROM has no room for so many nodes.
std::vector<std::byte> network_map(const NicContext& context);

}  // namespace sanvp::nic::elan3
