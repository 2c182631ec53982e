/// Raw system calls, made by the instruction and not through the C library (Linux's Syscall User Dispatch).
#pragma once

namespace sanvp::native {

/// From now on a system call from outside the libraries loaded so far raises SIGSYS, with its number in si_syscall. On
/// kernels before 5.11 this does nothing.
void dispatch_system_calls();

/// The same in a child process, which does not inherit it.
void dispatch_system_calls_again();

bool ends_process(long call);
/// Whether it would change signals, descriptors or other state that the simulator depends on.
bool acts_on_process(long call);
/// Or a process.
bool starts_thread(long call);

}  // namespace sanvp::native
