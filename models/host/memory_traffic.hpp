/// What goes through a node's memory while its CPUs compute. Code is not simulated access by access: where a loop gives
/// way, the addresses that it has come to are looked at, and what it has walked through since it was last there is
/// what it has touched. Blocks that the CPU's cache does not hold come from memory, at the rate that one CPU gets and
/// that all of the node share.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <unordered_map>

#include "models/native/image.hpp"
#include "platform/core/time.hpp"
#include "sw/hal/host.h"

namespace sanvp::host {

/// The address of an operand, of a loop of `image`.
std::uintptr_t address_of(const native::Operand& operand, const hal_registers& registers, const native::Image& image);

/// The memory of a node, as it is shared.
class MemoryChannel {
 public:
  explicit MemoryChannel(double Bps) : Bps_(Bps) {}
  /// When so many bytes, asked for at `at`, have come. One after the other.
  Time transfer(Time at, std::size_t bytes);

 private:
  double Bps_;
  Time free_{0};
};

class MemoryTraffic {
 public:
  /// @param Bps   that one CPU gets
  /// @param load  what an instruction takes that loads: so far a loop can go in a time
  MemoryTraffic(MemoryChannel& channel, std::int64_t cache_bytes, double Bps, Time load);

  /// What a CPU has to wait for memory, beyond what it has computed: in a loop, by `now`, after it computed for `span`.
  Time stall(const native::Loop& loop, const hal_registers& registers, const native::Image& image, Time now, Time span);
  /// ... in a call that begins `now`, goes through `bytes` from `memory` on, and computes for `price`.
  Time stall(const void* memory, std::size_t bytes, Time now, Time price);

 private:
  static constexpr std::size_t most_operands = 8;

  struct Visit {
    std::array<std::uintptr_t, most_operands> at{};
    Time computed{0};  ///< by the CPU in all, then
  };

  std::size_t walk(std::uintptr_t from, std::uintptr_t to);
  bool touch(std::uintptr_t block);
  Time given(std::size_t missing, Time asked, Time now);

  MemoryChannel& channel_;
  std::uintptr_t block_bytes_;  ///< by which the cache is looked at
  std::size_t most_blocks_;
  double Bps_;
  Time load_;
  std::list<std::uintptr_t> blocks_;  ///< in the cache, the one touched last first
  std::unordered_map<std::uintptr_t, std::list<std::uintptr_t>::iterator> places_;
  std::unordered_map<std::uint64_t, Visit> visits_;  ///< by loop
  Time computed_{0};
  Time supplied_{0};  ///< until then memory has given what was asked of it
};

}  // namespace sanvp::host
