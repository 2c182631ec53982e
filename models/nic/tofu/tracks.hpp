/// The card in a trace (`--trace`): a row for each interface's sending and receiving side and one for the barrier, with
/// arrows from the CPU's store to the order, along the links, to the far side, and on to the process that waits for the
/// data.
#pragma once

#include "models/nic/card/tracks.hpp"
#include "sw/abi/registers/tofu.h"

namespace sanvp::nic::tofu {

/// Below `barrier`: the sides of the interfaces.
enum class Unit : std::uint8_t { barrier = 2 * TOFU_TNIS, count_ };
using Tracks = nic::Tracks<Unit>;

constexpr Unit sender_of(std::uint32_t tni) { return static_cast<Unit>(2 * tni); }
constexpr Unit receiver_of(std::uint32_t tni) { return static_cast<Unit>(2 * tni + 1); }

inline std::string name_of(Unit unit) {
  if (unit == Unit::barrier) return "barrier interface";
  const auto number = static_cast<unsigned>(unit);
  return "TNI " + std::to_string(number / 2) + (number % 2 == 0 ? " out" : " in");
}

}  // namespace sanvp::nic::tofu
