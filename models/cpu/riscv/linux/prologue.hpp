/// The frame layout of a function, derived from its beginning: for code without unwinding information, such as much of
/// the C library.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/cpu/riscv/memory.hpp"

namespace sanvp::riscv::os {

/// The frame of a function at one of its instructions.
struct FrameLayout {
  std::int64_t bytes = 0;  ///< by which it has moved the stack pointer down
  std::array<std::optional<std::int64_t>, 32>
      saved_below{};                            ///< registers: so far below the stack pointer of its caller
  std::optional<std::int64_t> pointer_below{};  ///< the frame pointer, which it has set: so far below, too
};

/// Decodes the instructions from `begin` up to `pc`, in their order: those that lower the stack pointer by a constant,
/// and the first store of each register to the stack; a frame pointer stays if the stack pointer moves further
/// (alloca). The epilogues, which raise the stack pointer, are not on the path to the instructions behind them.
FrameLayout frame_at(const Memory& memory, std::uint64_t begin, std::uint64_t pc);

}  // namespace sanvp::riscv::os
