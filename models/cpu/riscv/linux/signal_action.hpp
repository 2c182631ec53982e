/// A process's action for a signal.
#pragma once

#include "models/cpu/riscv/linux/thread.hpp"

namespace sanvp::riscv::os {

/// As rt_sigaction passes it on RISC-V, which has no restorer.
struct SignalAction {
  std::uint64_t handler = 0;  ///< 0: SIG_DFL, 1: SIG_IGN
  std::uint64_t flags = 0;
  SignalSet blocked = 0;
};

constexpr std::uint64_t default_handler = 0, ignoring_handler = 1;

}  // namespace sanvp::riscv::os
