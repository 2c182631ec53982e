#include "models/cpu/riscv/linux/scheduler.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::riscv::os {

Scheduler::Scheduler(Process& process, std::uint64_t quantum)
    : process_(process), quantum_(quantum), cpus_(process.settings().cpus) {
  if (process.settings().caches)
    for (Cpu& cpu : cpus_) cpu.caches.emplace(*process.settings().caches);
}

/// The thread that has been ready for the longest time; among equals, the one whose last turn is the longest ago. So
/// all have their turns even if instructions cost no time.
Thread* Scheduler::next_thread() const {
  Thread* best = nullptr;
  for (const auto& thread : process_.threads()) {
    if (thread->has_ended || thread->wait.what != Wait::For::turn) continue;
    const auto rank = [](const Thread& ready) { return std::pair(ready.ready_ps, ready.last_turn); };
    if (best == nullptr || rank(*thread) < rank(*best)) best = thread.get();
  }
  return best;
}

/// On the CPU whose local time is least.
void Scheduler::give_turn(Thread& thread) {
  Cpu& cpu = least_cpu();
  if (cpu.last != thread.id) thread.hart.reserved.reset();
  cpu.last = thread.id;
  thread.cpu = static_cast<int>(&cpu - cpus_.data());
  thread.last_turn = ++turns_;
  thread.hart.caches = cpu.caches ? &*cpu.caches : nullptr;
  thread.hart.time_ps = std::max(cpu.time_ps, thread.ready_ps);
  process_.run(thread, quantum_);
  cpu.time_ps = thread.hart.time_ps;
  thread.ready_ps = std::max(thread.ready_ps, cpu.time_ps);
  if (thread.has_ended) process_.forget_ended_threads();
}

Scheduler::Cpu& Scheduler::least_cpu() {
  return *std::min_element(cpus_.begin(), cpus_.end(),
                           [](const Cpu& a, const Cpu& b) { return a.time_ps < b.time_ps; });
}

Scheduler::Over Scheduler::run(const Limits& limits) {
  while (!process_.end()) {
    Thread* const thread = next_thread();
    const auto time_out = process_.next_time_out();
    if (thread == nullptr && !time_out) return Over::hangs;
    const std::int64_t turn = thread == nullptr ? 0 : std::max(least_cpu().time_ps, thread->ready_ps);
    const bool waits_end = time_out && (thread == nullptr || *time_out <= turn);
    if ((waits_end ? *time_out : turn) >= limits.until_ps) return Over::limit;
    if (process_.retired() >= limits.instructions || !limits.goes_on()) return Over::limit;
    if (waits_end)
      process_.end_waits_until(*time_out);
    else
      give_turn(*thread);
  }
  return Over::ended;
}

std::int64_t Scheduler::now_ps() const {
  std::int64_t latest = 0;
  for (const Cpu& cpu : cpus_) latest = std::max(latest, cpu.time_ps);
  return latest;
}

}  // namespace sanvp::riscv::os
