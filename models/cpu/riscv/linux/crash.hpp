/// The place at which a program ended, was stopped, or waits: function, source line and callers, by libdw.
#pragma once

#include <string>

#include "models/cpu/riscv/linux/process.hpp"
#include "models/native/own_calls.hpp"

namespace sanvp::riscv::os {

/// How a signal has killed the process: "SIGSEGV at pc 0x10f2c in solve() at solver.c:42, address 0x0; called by main()
/// at solver.c:60". A stack overflow is named as such, with its cure.
/// @pre  Process::end says that a signal did
std::string crash_text(const Process& process);

/// "solve() at solver.c:42; called by main() at solver.c:60"; its pc if nothing is known of that.
std::string place_text(const Process& process, const Thread& thread);

/// The functions of the program itself that are open in the thread.
native::OwnCalls own_calls(const Process& process, const Thread& thread);

}  // namespace sanvp::riscv::os
