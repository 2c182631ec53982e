/// The card in a trace (`--trace`): a row for each DMA machine and one for the processor; arrows follow packets from
/// SEND to RECV.
#pragma once

#include "models/nic/card/tracks.hpp"

namespace sanvp::nic::lanai {

enum class Unit : std::uint8_t { sdma, send, recv, rdma, processor, in_transit, count_ };
using Tracks = nic::Tracks<Unit>;

inline std::string name_of(Unit unit) {
  constexpr std::array names{"SDMA", "SEND", "RECV", "RDMA", "LANai", "in-transit"};
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace sanvp::nic::lanai
