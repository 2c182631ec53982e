// Schedules threads on cores, and lets cores and threads wait.
#include <algorithm>
#include <utility>

#include "models/host/node.hpp"
#include "models/host/riscv/core.hpp"

namespace sanvp::host {

namespace os = riscv::os;

bool RiscvProcess::is_ready(const os::Thread& thread) const {
  return !thread.has_ended && thread.wait.what == os::Wait::For::turn && !thread.is_running;
}

/// The first thread runs on the first core, and has precedence there; among the others, the longest ready one is next.
/// While a thread's own core gives way after its turn, the thread stays there.
os::Thread* RiscvProcess::ready_thread(const Core& core, Time until) const {
  os::Thread* best = nullptr;
  const bool is_first_core = &core == cores_.front().get();
  const auto is_kept = [&](const os::Thread& thread) {
    return std::any_of(cores_.begin(), cores_.end(),
                       [&](const auto& other) { return other.get() != &core && other->keeps == &thread; });
  };
  for (const auto& thread : program_.threads()) {
    if (!is_ready(*thread) || is_kept(*thread) || Time{thread->ready_ps} > until ||
        (is_first(*thread) && !is_first_core))
      continue;
    if (is_first(*thread)) return thread.get();
    const auto rank = [](const os::Thread& one) { return std::pair(one.ready_ps, one.last_turn); };
    if (best == nullptr || rank(*thread) < rank(*best)) best = thread.get();
  }
  return best;
}

/// When this core can have work again, if no other thread changes that.
std::optional<Time> RiscvProcess::next_ready(const Core& core) const {
  std::optional<Time> first;
  if (const auto time_out = program_.next_time_out()) first = Time{*time_out};
  if (const os::Thread* const thread = ready_thread(core, never))
    first = std::min(first.value_or(never), Time{thread->ready_ps});
  return first;
}

/// For messages about ranks that wait: what its first thread waits for, or, if that waits for another thread, what that
/// one waits for.
const char* what_it_waits_for(const os::Process& program) {
  for (const auto& thread : program.threads()) {
    if (thread->has_ended) continue;
    if (thread->wait.what == os::Wait::For::time) return "the end of a sleep";
    if (thread->wait.what == os::Wait::For::signal) return "a signal";
    if (thread->wait.what == os::Wait::For::retry) return "a pipe, a lock of a file, or another file that is not ready";
    if (thread->wait.what == os::Wait::For::disk) return "a disk";
  }
  return program.waits_for_shared_word() ? "another thread, or another rank of its node, to wake it"
                                         : "another thread of its program";
}

void RiscvProcess::wait_for_work(Core& core) {
  ask_for_cores();
  if (core.cpu.catch_up()) return;  // what wakes it later must find it waiting
  const Time until = next_ready(core).value_or(never);
  core.is_idle = true;
  core.watches_parked = !parked_.empty();
  if (core.watches_parked)
    parked_.watch(core.cpu, until);
  else
    core.cpu.wait_idle(core.has_work, what_it_waits_for(program_), until);
  core.is_idle = core.watches_parked = false;
}

/// Cores that have nothing to do look again. A core that has never had work gets a fiber at its first work.
void RiscvProcess::wake_cores(const Core* but) {
  const Time now = node().run_queue().now();
  for (const auto& core : cores_) {
    if (core.get() == but || (core->has_begun && !core->is_idle)) continue;
    if (core->has_begun)
      core->wake(now);
    else if (core != cores_.front() && !program_.end() && ready_thread(*core, never) != nullptr)
      begin_core(*core);
  }
  if (program_.end() && !cores_.front()->is_idle && cores_.front().get() != but) cores_.front()->cpu.interrupt_wait();
  ask_for_cores();
}

void RiscvProcess::begin_core(Core& core) {
  core.has_begun = true;
  core.fiber = std::make_unique<native::Thread>(node().run_queue(), core_stack_bytes, [this, at = &core] {
    native::exchange_net(nullptr);
    node().memory().add(at->fiber->stack());
    at->cpu.begin_work();
    run_core(*at);
    at->cpu.end_work();
  });
  core.cpu.run(*core.fiber);
  core.fiber->start();
}

void RiscvProcess::ask_for_cores() {
  if (program_.end()) return;
  const auto is_held = [](const auto& core) { return core->is_held() && !core->must_park; };
  if (std::none_of(cores_.begin(), cores_.end(), is_held)) return;
  const auto ask = [](Core& core) {
    core.must_park = true;
    core.cpu.interrupt_wait();
  };
  const auto& threads = program_.threads();
  if (first_needs(*cores_.front()) && is_held(cores_.front())) ask(*cores_.front());
  auto lack = std::count_if(threads.begin(), threads.end(), [this](const auto& thread) { return is_ready(*thread); }) -
              std::count_if(cores_.begin(), cores_.end(),
                            [](const auto& core) { return core->runs == nullptr || core->must_park; });
  for (const auto& core : cores_)
    if (lack > 0 && is_held(core)) {
      ask(*core);
      --lack;
    }
}

bool RiscvProcess::has_more_threads_than_cores() const {
  const auto& threads = program_.threads();
  const auto ended = std::count_if(threads.begin(), threads.end(), [](const auto& one) { return one->has_ended; });
  return threads.size() - static_cast<std::size_t>(ended) > cores_.size();
}

void RiscvProcess::signalled(const os::Thread& thread) {
  for (const auto& core : cores_)
    if (core->runs == &thread ? core->is_held() : core->watches_parked) core->cpu.interrupt_wait();
}

/// The first thread waits for its core, which another one has.
bool RiscvProcess::first_needs(const Core& core) const {
  const auto& first = *program_.threads().front();
  return &core == cores_.front().get() && core.runs != &first && is_first(first) && is_ready(first);
}

/// The thread handles its signals, and waits again.
os::Result RiscvProcess::wait_again(const Core& core, os::Thread& thread) {
  program_.call_again(thread, core.cpu.now().count());
  return os::no_result;
}

/// The thread waits on its core, as it polls. @returns nothing if it has to leave that before the wait is over
std::optional<os::Result> RiscvProcess::hold(Core& core, const Parked::Wait& wait, bool must_look) {
  const Time alarm{program_.next_alarm().value_or(never.count())};
  const Time until = must_look ? Time{0} : std::min(wait.until, alarm);
  core.waits_in_call = true;
  const int differs =
      calls_of_hal().wait_words(static_cast<Software*>(this), wait.words.at.data(), wait.words.seen.data(),
                                wait.words.count(), static_cast<std::uint64_t>(until.count()));
  core.waits_in_call = false;
  reactions_known_[wait.thread->id] = reactions();
  const bool was_asked = std::exchange(core.must_park, false);
  if (was_asked) core.cpu.forget_interrupt();
  const Time now = core.cpu.now();
  if (differs != 0 || program_.end() || now >= wait.until || wait.reactions != reactions()) return os::Result{differs};
  if (now >= alarm) program_.end_waits_until(now.count());
  if (now >= alarm || program_.has_signal(*wait.thread)) return wait_again(core, *wait.thread);
  return was_asked ? std::nullopt : std::optional(os::Result{differs});
}

/// With a core for each thread, it keeps its core. It leaves the core if others may need it, or if one asked for it
/// before this wait began.
os::Result RiscvProcess::wait_words(os::Thread& thread, Parked::Words words, std::uint64_t until_ps) {
  Core& core = core_of(thread);
  // It waits from now on, and can be asked for its core. While it catches up, other cores make theirs the current one.
  do current_ = &core.cpu;
  while (settled_cpu().catch_up());
  current_ = &core.cpu;
  if (program_.end()) return 0;  // its interrupt has come too early to end this wait
  const Time since = core.cpu.now();
  profile().wait(since);
  const Time until =
      until_ps > static_cast<std::uint64_t>(never.count()) ? never : Time{static_cast<std::int64_t>(until_ps)};
  Parked::Wait wait{&thread, std::move(words), since, until, reactions()};
  const bool must_look = reactions_known_[thread.id] != reactions();  // it may have looked just before a death was told
  if (!must_look && program_.has_signal(thread)) return wait_again(core, thread);
  const bool is_over =
      must_look || since >= until ||
      core.cpu.change_noticed(wait.words.at.data(), wait.words.seen.data(), wait.words.count()) != never;
  if (is_over || (!has_more_threads_than_cores() && !first_needs(core)))
    if (const auto result = hold(core, wait, must_look)) return *result;
  program_.suspend(thread, {.what = os::Wait::For::memory});
  parked_.add(std::move(wait));
  return os::no_result;
}

void RiscvProcess::end_parked(Core& core) {
  if (parked_.empty()) return;
  const auto ended = parked_.take_ended(core.cpu, reactions(), program_);
  for (const auto& [thread, result] : ended) {
    if (!result) {
      program_.call_again(*thread, core.cpu.now().count());
      continue;
    }
    reactions_known_[thread->id] = reactions();
    program_.resume(*thread, *result, core.cpu.now().count());
  }
  if (!ended.empty()) wake_cores(&core);
  if (!parked_.has_timed_out(core.cpu)) return;
  current_ = &core.cpu;
  try {
    give_up(calls().oldest());
  } catch (const Ended&) {
  }
}

std::optional<RiscvProcess::ThreadWait> RiscvProcess::wait_of(const os::Thread& thread) const {
  if (const Parked::Wait* const parked = parked_.find(thread)) return ThreadWait{parked->since, parked->until};
  if (thread.wait.what != os::Wait::For::turn)
    return ThreadWait{Time{thread.hart.time_ps}, thread.wait.until_ps ? Time{*thread.wait.until_ps} : never};
  for (const auto& core : cores_)
    if (const auto& waiting = core->cpu.waiting(); core->runs == &thread && waiting)
      return ThreadWait{waiting->since, waiting->until};
  return {};
}

/// A thread that waits in a call is woken each time that another leaves its libraries, and waits again.
bool RiscvProcess::has_waited(Time since) const {
  return std::all_of(program_.threads().begin(), program_.threads().end(), [&](const auto& thread) {
    const int number = number_of(*thread);
    if (thread->has_ended || has_tested(number, since)) return true;
    const auto wait = wait_of(*thread);
    if (wait && wait->until != never) return false;
    return (wait && wait->since <= since) || calls().has_waited(number, since, wait.has_value());
  });
}

std::optional<Cpu::Waiting> RiscvProcess::waiting() const {
  for (const auto& core : cores_)
    if (core->runs != nullptr && !core->cpu.waiting()) return {};
  for (const auto& core : cores_)  // a wait that ends by time may end the others
    if (auto one = core->cpu.waiting(); one && one->until != never) return one;
  return first_cpu().waiting();
}

}  // namespace sanvp::host
