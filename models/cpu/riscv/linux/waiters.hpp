/// Threads that wait for a word of memory (futex): those of the process and, if other processes see the word, theirs.
#pragma once

#include <cstdint>
#include <vector>

namespace sanvp::riscv::os {

class Process;

class Waiters {
 public:
  /// The threads that wait for the word at this address of the process.
  Waiters(Process& process, std::uint64_t address);

  /// Whether other processes see the word.
  bool is_shared() const { return places_.size() > 1; }
  /// Wakes up to `count` that wait with one of these bits, in the order in which they have begun to wait. @returns how
  /// many
  std::int64_t wake(std::int64_t count, std::uint32_t bits, std::int64_t now_ps);
  /// How often in a row one of them has come too late.
  int most_losses() const;

 private:
  /// The word as one of the processes sees it.
  struct Place {
    Process* process;
    std::uint64_t address;
  };
  const Place* longest_waiting(std::uint32_t bits) const;

  Process& process_;
  std::vector<Place> places_;
};

}  // namespace sanvp::riscv::os
