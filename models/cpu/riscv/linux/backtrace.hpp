/// The calls that are open in a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/riscv/linux/process.hpp"
#include "models/native/symbols.hpp"

namespace sanvp::riscv::os {

/// A call that is open.
struct Frame {
  std::uint64_t address = 0;  ///< within it, in the program's file
  int signal = 0;             ///< by whose handler it is interrupted; 0: none
};

/// The thread's pc, then the calls that led there.
/// @param symbols  of the program; may be asked once
std::vector<Frame> backtrace(const Process& process, const Thread& thread, const native::Symbols& symbols);

}  // namespace sanvp::riscv::os
