/// The 32-bit form of an RV64 instruction in memory: for code that inspects an instruction without executing it.
#pragma once

#include <cstdint>
#include <optional>

#include "models/cpu/riscv/compressed.hpp"
#include "models/cpu/riscv/decoder.hpp"
#include "models/cpu/riscv/memory.hpp"

namespace sanvp::riscv {

struct LongForm {
  std::uint32_t word = 0;  ///< 0, which is illegal, for a short form that has none
  unsigned bytes = 0;      ///< in memory
};

/// Nothing if memory cannot be read.
inline std::optional<LongForm> long_form_at(const Memory& memory, std::uint64_t pc) {
  const auto first = memory.read<std::uint16_t>(pc);
  if (!first) return std::nullopt;
  const unsigned bytes = instruction_bytes(*first);
  if (bytes == sizeof *first) return LongForm{expand(*first, 64), bytes};
  const auto second = memory.read<std::uint16_t>(pc + sizeof *first);
  if (!second) return std::nullopt;
  return LongForm{*first | std::uint32_t{*second} << 16, bytes};
}

}  // namespace sanvp::riscv
