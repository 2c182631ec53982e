/// A core of a RiscvProcess: a CPU of the node, with the thread that it runs. For the sources of RiscvProcess.
#pragma once

#include <memory>
#include <optional>

#include "models/host/riscv/process.hpp"

namespace sanvp::host {

constexpr std::size_t core_stack_bytes = 256
                                         << 10;  // the simulator's own frames and the driver's: as a kernel's (node)

struct RiscvProcess::Core {
  Core(Cpu& of_node, net::RunQueue& run_queue, const std::optional<cpu::CachesSettings>& settings)
      : cpu(of_node), has_work(run_queue) {
    if (settings) caches.emplace(*settings);
  }

  /// Ends its idle wait.
  void wake(Time now) { watches_parked ? cpu.interrupt_wait() : has_work.notify(now); }
  /// Its thread waits for memory, in wait_words.
  bool is_held() const { return runs != nullptr && waits_in_call; }

  Cpu& cpu;
  int number = 0;  ///< as reported to the program: of a CPU of the node
  native::Condition has_work;
  std::optional<cpu::Caches> caches{};
  std::uint64_t shared_lines = 0;           ///< that its caches had moved at the end of its last turn
  std::unique_ptr<native::Thread> fiber{};  ///< null: the process's own, or it has had no work yet
  riscv::os::Thread* runs = nullptr;
  const riscv::os::Thread* keeps = nullptr;  ///< between two turns: it is ready, and other cores leave it here
  Time accounted{0};                         ///< of the thread's local time
  std::optional<int> drawn{};  ///< number of the thread that it has run last: the trace's slices belong to it
  Time left{0};                ///< when that had its last turn here
  bool is_idle = false;
  bool watches_parked = false;  ///< while it is idle
  bool waits_in_call = false;
  bool must_park = false;  ///< the thread that waits in a call
  bool has_begun = false;
  std::optional<Process::CpuUse> use{};  ///< from its first turn
};

}  // namespace sanvp::host
