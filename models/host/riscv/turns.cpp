/// Turns of a process's threads on its cores, and what they cost.
#include <algorithm>
#include <utility>

#include "models/cpu/riscv/linux/signals.hpp"
#include "models/host/node.hpp"
#include "models/host/riscv/core.hpp"
#include "models/host/riscv/process.hpp"
#include "models/native/safety_net.hpp"

namespace sanvp::host {
namespace {

namespace os = riscv::os;

constexpr std::uint64_t least_budget = 1000;  // a turn costs the simulator as much as a few hundred instructions

/// A budget that is half to one and a half times as large, at random: threads see what others have done at the end of
/// turns. If turns always ended at the same place of a loop that holds a lock there, the others would wait for ever;
/// and lengths by any rule of a few steps fall in with some loop.
std::uint64_t varied(std::uint64_t budget, Random& random) { return budget / 2 + random.below(budget); }

}  // namespace

/// Until the process has ended.
void RiscvProcess::run_core(Core& core) {
  core.has_begun = true;
  while (!program_.end() && !native::was_interrupted()) {
    program_.end_waits_until(core.cpu.now().count());
    end_parked(core);
    if (program_.end()) break;
    os::Thread* const thread = ready_thread(core, core.cpu.now());
    if (const auto* const kept = std::exchange(core.keeps, nullptr); kept != nullptr && kept != thread)
      wake_cores(&core);  // others may run it
    if (thread == nullptr)
      wait_for_work(core);
    else
      give_turn(core, *thread);
  }
  wake_cores(&core);
}

/// Instructions that fit into its quantum.
std::uint64_t RiscvProcess::budget() const {
  const Settings& settings = node().settings();
  const bool is_alone = program_.threads().size() == 1;
  const double quantum = static_cast<double>(settings.quantum.count());
  const double left = is_alone && spent_ < 0 && !is_untimed_ ? -static_cast<double>(spent_) : quantum;
  const double most = 64 * quantum;  // at first
  const double cycles = std::min(left, most) / std::max(1.0, settings.cpu.costs.cycle_ps);
  return std::max(least_budget, static_cast<std::uint64_t>(cycles));
}

void RiscvProcess::give_turn(Core& core, os::Thread& thread) {
  core.runs = &thread;
  if (!core.use) core.use = CpuUse{&core.cpu, core.cpu.now(), core.cpu.idle(core.cpu.now())};
  select_thread(number_of(thread));
  enter_track(core, number_of(thread));
  profile().arrive(Time{thread.ready_ps}, core.cpu.waited());
  thread.is_running = true;
  thread.last_turn = ++turns_;
  thread.cpu = core.number;
  thread.hart.reserved.reset();
  try {
    resume(thread);
    program_.run(thread, program_.threads().size() > 1 ? varied(budget(), turn_lengths_) : budget());
  } catch (const Ended&) {
  }
  settle(thread);
  running_ = nullptr;
  const Time span = take_spent(), began = core.cpu.now();
  compute(core.cpu, span);
  share_memory(core, began);
  core.left = core.cpu.now();
  if (program_.threads().size() > 1) profile().leave(core.left, core.cpu.waited());
  thread.is_running = false;
  core.runs = nullptr;
  thread.ready_ps = std::max(thread.ready_ps, core.cpu.now().count());
  // From here on another core may run the thread, and forget it; none but the first core runs the first.
  const bool has_ended = thread.has_ended, was_first = is_first(thread);
  const bool is_program = !calls().is_any_in_call();
  if (is_ready(thread)) core.keeps = &thread;
  if (has_ended && program_.threads().size() > 1) end_track(core, number_of(thread));
  wake_cores(&core);
  give_way(core.cpu, span, is_program);
  if (is_program && was_first && !has_ended) call_hook(thread);
  if (has_ended) program_.forget_ended_threads();
}

/// Others that use the node's memory delay what its caches have moved in a turn. Single accesses wait for the CPU's own
/// port alone, since turns run one after the other.
void RiscvProcess::share_memory(Core& core, Time began) {
  if (!core.caches) return;
  const std::uint64_t moved = core.caches->moved_lines();
  const auto lines = static_cast<double>(moved - std::exchange(core.shared_lines, moved));
  const double line_bytes = static_cast<double>(core.caches->last().line_bytes()) * core.caches->sample().stands_for();
  const Time wait = core.cpu.share_memory(static_cast<std::size_t>(lines * line_bytes), began);
  if (wait == Time{0}) return;
  stalls(wait);
  compute(core.cpu, wait);
}

void RiscvProcess::leave_track(Core& core) {
  if (!core.drawn) return;
  select_thread(*core.drawn);
  draw_computing(core.cpu, core.left);
  begin_computing(core.cpu);
  slices_[*core.drawn] = core.cpu.leave_slices(core.left);
  core.drawn.reset();
}

/// If the thread continues on the core that it left, and no other has run there, its slices stay whole.
void RiscvProcess::enter_track(Core& core, int thread) {
  if (core.drawn == thread) return;
  leave_track(core);
  for (const auto& other : cores_)
    if (other->drawn == thread) leave_track(*other);
  core.drawn = thread;
  select_thread(thread);
  auto left = slices_.extract(thread);
  if (!left && thread == 0) return;  // it begins with the process
  if (left) core.cpu.continue_slices(std::move(left.mapped()));
  if (!calls().is_in_call()) begin_computing(core.cpu);
}

void RiscvProcess::end_track(Core& core, int thread) {
  leave_track(core);
  slices_.erase(thread);
  forget_thread(thread);
}

void RiscvProcess::call_hook(os::Thread& thread) {
  const bool computes = !program_.end() && thread.wait.what == os::Wait::For::turn;
  const bool is_own_code = thread.hart.pc < hook_.own_code_end;
  if (hook_.function != 0 && computes && is_own_code) os::call_function(program_, thread, hook_.function);
}

RiscvProcess::Core& RiscvProcess::core_of(const os::Thread& thread) {
  return **std::find_if(cores_.begin(), cores_.end(), [&](const auto& core) { return core->runs == &thread; });
}

RiscvProcess::Core& RiscvProcess::settle(os::Thread& thread) {
  Core& core = core_of(thread);
  select_thread(number_of(thread));
  const Time computed = Time{thread.hart.time_ps} - core.accounted;
  core.accounted += computed;
  if (!is_untimed_) spent_ += computed.count();
  current_ = &core.cpu;
  return core;
}

void RiscvProcess::resume(os::Thread& thread) {
  if (program_.end()) throw Ended{};
  Core& core = core_of(thread);
  core.accounted = core.cpu.now();
  thread.hart.time_ps = core.accounted.count();
  thread.hart.caches = core.caches ? &*core.caches : nullptr;
  thread.hart.observed = observed_.get();
  current_ = &core.cpu;
  running_ = &thread;
  select_thread(number_of(thread));
}

/// Others have run meanwhile.
void RiscvProcess::after_sleep(Cpu& at) {
  for (const auto& core : cores_)
    if (&core->cpu == &at && core->runs != nullptr) select_thread(number_of(*core->runs));
}

}  // namespace sanvp::host
