/// hal.h for programs of RISC-V: system calls (sw/abi/hal/riscv_calls.h) whose arguments are checked, and become those
/// of the calls that images make.
#pragma once

#include "models/host/riscv/process.hpp"

namespace sanvp::host {

bool is_hal_call(std::uint64_t number);

/// In the thread of the caller, whose time is accounted for.
riscv::os::Result call_hal(RiscvProcess& process, riscv::os::Call& call, std::uint64_t number);

}  // namespace sanvp::host
