/// The whole simulator in a second process: it has no threads, so that fork() copies a running machine exactly. What
/// fork() does not copy, or shares, is taken care of here and by the caller.
#pragma once

#include <sys/types.h>

#include <functional>

namespace sanvp {

/// Flushes the standard streams, forks, and returns in the parent when the child is independent of it.
/// @param in_child  what the child does first: takes what it would share with its parent (Cluster::continue_in_child,
///                  own_open_files). The parent waits for it, so that what it takes is what the parent has
/// @return 0 in the child, and its number in the parent. Throws UserError if the computer grants no process
pid_t fork_simulator(const std::function<void()>& in_child);

/// Tells a process of an interrupt (platform/core/interrupts.hpp), such as Ctrl-C, of which this one has been told. A
/// terminal, or a signal to the group, has told both: `number` says which one it is, so that the other process does not
/// count it twice.
void pass_interrupt_on(pid_t process, int signal, int number);

/// Waits for a child's end, and passes an interrupt on to it. @return its exit status; 128 more than the signal that
/// killed it
/// @param interrupt  the signal of which this process has been told, 0 until then; empty: it does not look
int exit_status_of(pid_t child, const std::function<int()>& interrupt = {});
/// Between looks at it. By the time of the next one, a signal to the group has reached the children.
constexpr int ms_between_looks = 100;

}  // namespace sanvp
