/// Runs the threads of a process on K CPUs in simulated time, deterministically: for a process by itself, without a
/// machine around it.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

class Scheduler {
 public:
  /// @param quantum  instructions that a thread runs before others have their turn
  Scheduler(Process& process, std::uint64_t quantum);

  struct Limits {
    std::uint64_t instructions = ~std::uint64_t{0};
    std::int64_t until_ps = std::numeric_limits<std::int64_t>::max();
    std::function<bool()> goes_on = [] { return true; };  ///< asked before each turn of a thread
  };
  enum class Over : std::uint8_t {
    ended,  ///< Process::end says how
    hangs,  ///< all threads wait for ever
    limit   ///< one of the limits is reached
  };
  Over run(const Limits& limits);
  /// Simulated time so far.
  std::int64_t now_ps() const;

 private:
  struct Cpu {
    std::optional<cpu::Caches> caches{};
    std::int64_t time_ps = 0;
    int last = 0;  ///< id of the thread that it ran last
  };
  Thread* next_thread() const;
  Cpu& least_cpu();
  void give_turn(Thread& thread);

  Process& process_;
  std::uint64_t quantum_;
  std::vector<Cpu> cpus_;
  std::uint64_t turns_ = 0;
};

}  // namespace sanvp::riscv::os
