/// The card's EEPROM: its identity, and the mapper's file with the machine's routes from its host.
#pragma once

#include <cstddef>
#include <vector>

#include "models/nic/nic_network.hpp"

namespace sanvp::nic::lanai {

/// Throws UserError if a route does not fit into the card's table, or the table has no room for so many hosts.
std::vector<std::byte> map_file(const NicNetwork& network, int host);

}  // namespace sanvp::nic::lanai
