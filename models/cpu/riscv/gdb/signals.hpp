/// Numbers of signals: gdb has its own, the same on all systems.
#pragma once

namespace sanvp::riscv::gdb {

int to_gdb(int linux_signal);
/// 0 if Linux has no such signal.
int to_linux(int gdb_signal);

}  // namespace sanvp::riscv::gdb
