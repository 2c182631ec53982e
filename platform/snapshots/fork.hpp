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

/// Waits for a child's end. @return its exit status; 128 more than the signal that killed it
int exit_status_of(pid_t child);

}  // namespace sanvp
