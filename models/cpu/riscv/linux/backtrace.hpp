/// The calls that are open in a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/riscv/linux/process.hpp"
#include "models/native/symbols.hpp"

namespace sanvp::riscv::os {

/// Addresses in the program's file: the thread's pc, then a place within each call that led there.
/// @param symbols  of the program; may be asked once
std::vector<std::uint64_t> backtrace(const Process& process, const Thread& thread, const native::Symbols& symbols);

}  // namespace sanvp::riscv::os
