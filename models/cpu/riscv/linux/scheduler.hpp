/// Runs the threads of a process on K CPUs in simulated time, deterministically: for a process by itself, without a
/// machine around it.
#pragma once

#include <vector>

#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

class Scheduler {
 public:
  /// @param quantum  instructions that a thread runs before others have their turn
  Scheduler(Process& process, std::uint64_t quantum)
      : process_(process), quantum_(quantum), cpus_(process.settings().cpus) {}

  /// Until the process ends; or, with an End by SIGKILL, when all its threads wait for ever or after so many
  /// instructions.
  End run(std::uint64_t most_instructions = ~std::uint64_t{0});
  /// Simulated time so far.
  std::int64_t now_ps() const;

 private:
  struct Cpu {
    std::int64_t time_ps = 0;
    const Thread* last = nullptr;
  };
  Thread* next_thread() const;
  bool end_waits_until(std::int64_t time_ps);
  std::optional<std::int64_t> next_time_out() const;

  Process& process_;
  std::uint64_t quantum_;
  std::vector<Cpu> cpus_;
};

}  // namespace sanvp::riscv::os
