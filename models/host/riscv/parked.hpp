/// Threads of a process that wait for memory without a core. Cores that have nothing else to do watch the words for
/// them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/riscv/linux/process.hpp"
#include "models/host/cpu.hpp"

namespace sanvp::host {

class Parked {
 public:
  struct Words {
    std::vector<const volatile std::uint32_t*> at;
    std::vector<std::uint32_t> seen;  ///< as many

    int count() const { return static_cast<int>(at.size()); }
  };
  struct Wait {
    riscv::os::Thread* thread;
    Words words;
    Time since, until;
    std::uint64_t reactions;  ///< to deaths, of the process, when it began
  };
  struct Ended {
    riscv::os::Thread* thread;
    std::optional<int> result;  ///< of hal_wait_words; none: it has a signal to handle first
  };

  bool empty() const { return waits_.empty(); }
  /// The wait of this thread; null if it does not wait.
  const Wait* find(const riscv::os::Thread& thread) const;
  void add(Wait wait) { waits_.push_back(std::move(wait)); }
  /// Removes the waits that are over, as this CPU notices it. @param reactions  to deaths, until now: one ends all
  /// waits
  std::vector<Ended> take_ended(const Cpu& cpu, std::uint64_t reactions, const riscv::os::Process& process);
  /// Whether one has waited for a dead node for too long.
  bool has_timed_out(const Cpu& cpu) const;
  /// Sleeps until a word of one of them has changed, one of them ends by time, or `until`; or the CPU is interrupted.
  void watch(Cpu& cpu, Time until) const;

 private:
  std::vector<Wait> waits_;  ///< in the order in which they have begun
};

}  // namespace sanvp::host
