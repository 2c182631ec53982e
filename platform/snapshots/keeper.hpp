/// The process that stands for a run whose simulator goes back in time: the simulator that a user sees is one process
/// after the other.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sanvp {

/// What the processes of a run share.
struct SharedByProcesses {
  static constexpr std::size_t most_snapshots = 256;
  std::atomic<pid_t> active;  ///< the simulator that continues the run
  pid_t keeper;
  int lifeline;  ///< a descriptor of all but the keeper: at its end when the keeper has ended
  std::array<std::atomic<std::int64_t>, 2> printed;     ///< bytes on standard output and standard error
  std::array<std::atomic<pid_t>, most_snapshots> held;  ///< processes that keep a state; 0: free
};

/// Divides the program: the present process becomes the keeper. It waits until the simulator that is active then has
/// ended, ends those that keep states, and ends as the simulator has. Returns in a child, the first simulator.
/// @return memory of all; it is never released
SharedByProcesses& divide_for_snapshots();

/// In a process that is to continue the run: it becomes the active one. It dies with the keeper.
void become_active(SharedByProcesses& shared);

}  // namespace sanvp
