/// System calls that code makes by the processor's instruction, past the C library (Linux's Syscall User Dispatch).
#pragma once

namespace sanvp::native {

/// From now on a system call from outside of the libraries that the program has loaded so far raises SIGSYS, with the
/// call's number in si_syscall. Where the kernel cannot do so (before 5.11), nothing happens.
void dispatch_system_calls();

bool ends_process(long call);
/// Whether it would change what the simulator needs: signals, descriptors, the process itself.
bool acts_on_process(long call);

}  // namespace sanvp::native
