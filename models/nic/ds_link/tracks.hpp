/// The card in a trace (`--trace`): one row for each half of its virtual channel processor, from the start of a
/// packet until the link has taken it, and one for its link, which shows when the link is down.
#pragma once

#include "models/nic/card/tracks.hpp"

namespace sanvp::nic::ds_link {

enum class Unit : std::uint8_t { output, input, link, count_ };
using Tracks = nic::Tracks<Unit>;

inline std::string name_of(Unit unit) {
  constexpr std::array names{"VCP output", "VCP input", "DS link"};
  return names[static_cast<std::size_t>(unit)];
}

}  // namespace sanvp::nic::ds_link
