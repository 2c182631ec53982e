/// Loads and stores that leave the memory of a process, for a device's window.
#pragma once

#include "models/cpu/riscv/linux/machine.hpp"

namespace sanvp::riscv::os {

/// Lets a thread that has stopped with a fault access a device by the instruction at its pc, and continue behind it.
/// False: it is no access to a device, or the machine refuses it.
bool access_device(Machine& machine, const Memory& memory, Thread& thread);

}  // namespace sanvp::riscv::os
