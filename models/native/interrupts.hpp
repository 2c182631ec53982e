/// Which signal has interrupted the run (catch_interrupts): Ctrl-C, SIGTERM or SIGHUP.
#pragma once

namespace sanvp::native {

struct Fault;

/// 0: none has come.
int interrupting_signal();

/// Whether code was ended by it.
bool is_interrupt(const Fault& fault);

/// In a child that holds no results of the run: such a signal ends it at once.
void release_interrupts();

}  // namespace sanvp::native
