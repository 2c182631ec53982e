#include "models/cpu/riscv/linux/scheduler.hpp"

#include <algorithm>

namespace sanvp::riscv::os {

/// The thread that has been ready for the longest time; the oldest one of several.
Thread* Scheduler::next_thread() const {
  Thread* best = nullptr;
  for (const auto& thread : process_.threads()) {
    if (thread->has_ended || thread->wait.what != Wait::For::turn) continue;
    if (best == nullptr || thread->ready_ps < best->ready_ps) best = thread.get();
  }
  return best;
}

std::optional<std::int64_t> Scheduler::next_time_out() const {
  std::optional<std::int64_t> first;
  for (const auto& thread : process_.threads()) {
    const Wait& wait = thread->wait;
    if (thread->has_ended || wait.what == Wait::For::turn || !wait.until_ps) continue;
    if (!first || *wait.until_ps < *first) first = wait.until_ps;
  }
  return first;
}

/// Whether a wait has ended.
bool Scheduler::end_waits_until(std::int64_t time_ps) {
  bool any = false;
  for (const auto& thread : process_.threads()) {
    const Wait& wait = thread->wait;
    if (thread->has_ended || wait.what == Wait::For::turn || !wait.until_ps || *wait.until_ps > time_ps) continue;
    process_.time_out(*thread);
    any = true;
  }
  return any;
}

End Scheduler::run(std::uint64_t most_instructions) {
  while (!process_.end()) {
    if (process_.retired() >= most_instructions) return {.signal = SIGKILL, .cause = "it ran too long"};
    Cpu& cpu =
        *std::min_element(cpus_.begin(), cpus_.end(), [](const Cpu& a, const Cpu& b) { return a.time_ps < b.time_ps; });
    Thread* thread = next_thread();
    const auto time_out = next_time_out();
    const std::int64_t start = thread == nullptr ? 0 : std::max(cpu.time_ps, thread->ready_ps);
    if (time_out && (thread == nullptr || *time_out <= start)) {
      end_waits_until(*time_out);
      continue;
    }
    if (thread == nullptr) return {.signal = SIGKILL, .cause = "all its threads wait for ever"};
    if (cpu.last != thread) thread->hart.reserved.reset();
    cpu.last = thread;
    thread->hart.time_ps = start;
    process_.run(*thread, quantum_);
    cpu.time_ps = thread->hart.time_ps;
    thread->ready_ps = std::max(thread->ready_ps, cpu.time_ps);
  }
  return *process_.end();
}

std::int64_t Scheduler::now_ps() const {
  std::int64_t latest = 0;
  for (const Cpu& cpu : cpus_) latest = std::max(latest, cpu.time_ps);
  return latest;
}

}  // namespace sanvp::riscv::os
