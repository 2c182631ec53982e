/// The card in a trace (`--trace`): a row for each unit, and arrows that follow packets from the command that started
/// them, through the DMA engine or the thread processor and along the links (models/net/hop_trace), to the far
/// inputter.
#pragma once

#include "models/nic/card/tracks.hpp"

namespace sanvp::nic::elan3 {

enum class Unit : std::uint8_t { command_port, dma, thread, input0, input1, count_ };
using Tracks = nic::Tracks<Unit>;

constexpr Unit inputter_of(int channel) { return channel == 0 ? Unit::input0 : Unit::input1; }

inline std::string name_of(Unit unit) {
  constexpr std::array names{"command port", "DMA", "thread processor", "inputter 0", "inputter 1"};
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace sanvp::nic::elan3
