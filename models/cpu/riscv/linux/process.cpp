#include "models/cpu/riscv/linux/process.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "models/cpu/riscv/linux/call_names.hpp"
#include "models/cpu/riscv/linux/debugger.hpp"
#include "models/cpu/riscv/linux/device_access.hpp"
#include "models/cpu/riscv/linux/initial_stack.hpp"
#include "models/cpu/riscv/linux/program.hpp"
#include "models/cpu/riscv/linux/signals.hpp"
#include "models/cpu/riscv/linux/system_call.hpp"
#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned sp = 2, a0 = 10, a7 = 17;

/// li a7, 139 (rt_sigreturn); ecall. By these bytes the unwinder of GCC knows the frame of a handler's caller.
constexpr std::array<std::uint32_t, 2> sigreturn_code{0x08B00893, 0x00000073};

constexpr int segv_maperr = 1, segv_accerr = 2, bus_adraln = 1, ill_illopc = 1, trap_brkpt = 1;

/// The address of the access that failed, if the signal came from one.
std::optional<std::uint64_t> accessed(const Signal& signal) {
  const bool is_of_access = (signal.number == SIGSEGV || signal.number == SIGBUS) && signal.code > 0;
  return is_of_access ? std::optional(signal.value) : std::nullopt;
}

std::string describe(const Hart64& hart, const Signal& signal) {
  const char* const name = sigabbrev_np(signal.number);
  const auto address = accessed(signal);
  return fmt::format("SIG{} at pc {:#x}{}", name == nullptr ? "?" : name, hart.pc,
                     address ? fmt::format(", address {:#x}", *address) : "");
}

/// Ordinary signals do not queue. @returns whether it is there now, and was not
bool add_to(std::deque<Signal>& pending, const Signal& signal) {
  constexpr int first_queued = 32;
  const auto is_same = [&](const Signal& other) { return other.number == signal.number; };
  if (signal.number < first_queued && std::any_of(pending.begin(), pending.end(), is_same)) return false;
  pending.push_back(signal);
  return true;
}

bool waits_for(const Thread& thread, const Signal& signal) {
  return thread.wait.what == Wait::For::signal && (thread.wait.signals & bit_of(signal.number)) != 0;
}

Signal signal_of(const Hart64& hart, const Memory& memory) {
  const Fault& fault = hart.fault;
  switch (fault.cause) {
    case Cause::illegal_instruction:
      return {SIGILL, ill_illopc, hart.pc};
    case Cause::misaligned_fetch:
    case Cause::misaligned_load:
    case Cause::misaligned_store:
      return {SIGBUS, bus_adraln, fault.address};
    default: {
      const std::uint64_t page = fault.address >> page_bits;
      const bool is_mapped = page < memory.window().pages && memory.is_mapped(page);
      return {SIGSEGV, is_mapped ? segv_accerr : segv_maperr, fault.address};
    }
  }
}

/// For the counter `cycle`.
std::int64_t clock_period_ps(const cpu::InstructionCosts& costs) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(costs.cycle_ps));
}

/// A sample of the lines leaves instructions out.
Stalls stalls_of(const ProcessSettings& settings) {
  return {settings.caches.has_value(), settings.caches && !settings.caches->samples, settings.misprediction_ps,
          settings.is_observed};
}

/// The program's own path, which the C library asks for before `main`. Within the job's folder it leads to the program,
/// and does not reveal where that folder is: instructions and times must not depend on it.
std::string path_seen_by_program(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path program = fs::weakly_canonical(path, none);
  const fs::path relative = program.lexically_relative(folder);
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  return (fs::path("/tmp") / (is_inside ? relative : program.filename())).string();
}

ProcessSettings with_program(ProcessSettings settings) {
  if (!settings.program) settings.program = native::copy_of_program(settings.path);
  return settings;
}

}  // namespace

const SystemCall* find_system_call(unsigned number) {
  static const std::vector<const SystemCall*> by_number = [] {
    std::vector<const SystemCall*> table;
    for (const auto& [name, call] : Registry<SystemCall>::all()) {
      if (table.size() <= call.number) table.resize(call.number + 1);
      table[call.number] = &call;
    }
    return table;
  }();
  return number < by_number.size() ? by_number[number] : nullptr;
}

Process::Process(ProcessSettings settings)
    : settings_(with_program(std::move(settings))),
      space_(settings_.window_bytes, settings_.memory_bytes, settings_.shared_bytes, settings_.window_place),
      interpreter_(space_.memory(), settings_.costs, stalls_of(settings_)),
      files_(settings_.folder, settings_.output),
      own_path_(path_seen_by_program(settings_.path, files_.folder())),
      random_(settings_.seed, settings_.node + "/process" + std::to_string(settings_.id)),
      next_id_(settings_.id) {
  if (settings_.standard_input != nullptr)
    files_.put(0, std::make_shared<InputStream>(*settings_.standard_input), false);
  if (settings_.machine != nullptr)
    space_.on_unmap(
        [this](std::uint64_t address, std::uint64_t bytes) { settings_.machine->unmapped(address, bytes); });
  if (settings_.translation) {
    TranslationSettings translation = *settings_.translation;
    translation.caches = settings_.caches;
    interpreter_.translate(translation);
  }
  space_.on_code_change(
      [this](std::uint64_t address, std::uint64_t bytes) { interpreter_.blocks().drop(address, bytes); });
  // The path as the command has it: the stack's contents must not depend on where the job's folder is.
  const std::string path = settings_.arguments.empty() ? settings_.path : settings_.arguments.front();
  StackContents contents{settings_.arguments, settings_.environment, path, {random_.next(), random_.next()}};
  place(contents);
}

void Process::place(const StackContents& contents) {
  const std::uint64_t top = shared_begin() - guard_bytes;
  const std::uint64_t stack = top - rounded_to_pages(settings_.stack_bytes);
  const std::uint64_t mappings_top = stack - guard_bytes;
  const Program program = load_program(settings_.path, *settings_.program, space_, mappings_top / 2);
  load_bias_ = program.bias;
  libraries_ = program.libraries;
  if (settings_.library_costs) interpreter_.blocks().set_library(program.libraries, *settings_.library_costs);
  space_.place_heap(rounded_to_pages(program.end), mappings_top);
  program_begin_ = program.begin;
  stack_begin_ = stack;
  stack_end_ = top;
  const UserError no_memory(settings_.path,
                            fmt::format("its stack of {} does not fit into its share of the node's memory, {}",
                                        size_to_text(static_cast<std::int64_t>(settings_.stack_bytes)),
                                        size_to_text(static_cast<std::int64_t>(space_.limit()))),
                            "make it smaller with -s host.stack=SIZE, or give nodes more with -s host.memory=SIZE");
  const std::uint8_t code = program.has_executable_stack ? executable : 0;
  if (!space_.map_at(stack, top - stack, readable | writable | code)) throw no_memory;
  sigreturn_address_ = top + guard_bytes - page_bytes;
  if (!space_.map_at(sigreturn_address_, page_bytes, readable | executable)) throw no_memory;
  store_to(space_.memory().window(), sigreturn_address_, sigreturn_code);

  auto first = std::make_unique<Thread>();
  first->id = next_id_++;
  first->hart.memory = space_.memory().window();
  first->hart.cycle_ps = clock_period_ps(settings_.costs);
  if (settings_.caches) first->hart.sample = settings_.caches->sample();
  first->hart.pc = program.entry;
  first->hart.x[sp] = write_initial_stack(space_.memory(), top, settings_.stack_bytes / 2, program, contents);
  if (first->hart.x[sp] == 0)
    throw UserError(settings_.path, "its arguments and environment are longer than half of its stack");
  threads_.push_back(std::move(first));
}

void Process::reprice(const cpu::InstructionCosts& costs, const cpu::InstructionCosts& libraries,
                      std::int64_t misprediction_ps) {
  interpreter_.blocks().reprice(costs, libraries, misprediction_ps);
  for (const auto& thread : threads_) thread->hart.set_clock(clock_period_ps(costs));
}

/// The linker puts libraries behind the program's own code (sw/hal/riscv/own_code.S).
std::optional<bool> Process::is_own_code(std::uint64_t address) const {
  if (libraries_.end == 0) return {};
  return address + load_bias_ < libraries_.begin;
}

Thread* Process::find_thread(int id) const {
  for (const auto& thread : threads_)
    if (thread->id == id && !thread->has_ended) return thread.get();
  return nullptr;
}

std::uint64_t Process::retired() const {
  std::uint64_t sum = retired_by_ended_;
  for (const auto& thread : threads_) sum += thread->hart.retired;
  return sum;
}

void Process::run(Thread& thread, std::uint64_t instructions) {
  const std::uint64_t limit = thread.hart.retired + instructions;
  const auto runs = [&] { return !end_ && !thread.has_ended && thread.wait.what == Wait::For::turn; };
  // A thread that is held in the middle of a block has paid for it and finishes it.
  const auto has_budget = [&] { return thread.hart.retired < limit || thread.hart.left.block != nullptr; };
  thread.since_ps = thread.hart.time_ps;
  if (alarm_ && alarm_->at_ps <= thread.hart.time_ps) send_alarm(thread.hart.time_ps);
  has_made_ready_ = false;
  if (debugger_ != nullptr) debugger_->begin_turn(*this, thread);
  if (!end_if_out_of_memory(thread)) deliver_signals(*this, thread);
  while (runs() && has_budget() && !has_made_ready_) {
    switch (execute(thread, limit)) {
      case Stop::environment_call:
        call_system(thread);
        if (!end_if_out_of_memory(thread) && runs()) deliver_signals(*this, thread);
        break;
      case Stop::fault:
        if (!end_if_out_of_memory(thread)) handle_fault(thread);
        break;
      case Stop::breakpoint:
        deliver_fault(*this, thread, {SIGTRAP, trap_brkpt, thread.hart.pc});
        break;
      case Stop::budget:
      case Stop::held:
      case Stop::watchpoint:
        break;
    }
  }
  thread.used_ps += thread.hart.time_ps - thread.since_ps;
  thread.since_ps = thread.hart.time_ps;
}

Stop Process::execute(Thread& thread, std::uint64_t limit) {
  if (debugger_ != nullptr) return debugger_->run(*this, thread, limit);
  return interpreter_.run(thread.hart, limit > thread.hart.retired ? limit - thread.hart.retired : 0);
}

void Process::handle_fault(Thread& thread) {
  if (settings_.machine != nullptr && access_device(*settings_.machine, space_.memory(), thread)) return;
  if (!end_) deliver_fault(*this, thread, signal_of(thread.hart, space_.memory()));
}

void Process::call_system(Thread& thread) {
  Hart64& hart = thread.hart;
  const std::uint64_t number = hart.x[a7];
  Call call{*this, thread, {}};
  std::copy_n(hart.x.begin() + a0, call.arguments.size(), call.arguments.begin());
  if (settings_.machine != nullptr && settings_.machine->has_call(number)) {
    if (const Result result = settings_.machine->call(call, number)) hart.x[a0] = static_cast<std::uint64_t>(*result);
    return;
  }
  hart.time_ps += settings_.system_call_ps;
  const SystemCall* const found = number < 4096 ? find_system_call(static_cast<unsigned>(number)) : nullptr;
  if (found == nullptr) {
    warn_once(fmt::format("system call {} is not there: it fails with ENOSYS", call_text(number)));
    hart.x[a0] = static_cast<std::uint64_t>(-ENOSYS);
    return;
  }
  const Result result = found->run(call);
  if (!result) return;
  hart.x[a0] = static_cast<std::uint64_t>(*result);
  thread.deadline_ps.reset();
  thread.moved = 0;
}

Thread& Process::add_thread(const Thread& parent) {
  auto thread = std::make_unique<Thread>();
  thread->id = next_id_++;
  thread->hart = parent.hart;
  thread->hart.retired = 0;
  thread->hart.reserved.reset();
  thread->blocked = parent.blocked;
  thread->name = parent.name;
  thread->bound_to = parent.bound_to;
  thread->nice = parent.nice;
  thread->ready_ps = parent.hart.time_ps;
  has_made_ready_ = true;
  threads_.push_back(std::move(thread));
  return *threads_.back();
}

void Process::end_thread(Thread& thread) {
  thread.has_ended = true;
  if (thread.clear_at_exit == 0) return;
  space_.memory().write(thread.clear_at_exit, std::uint32_t{0});
  wake(thread.clear_at_exit, 1, ~0U, thread.hart.time_ps);
}

void Process::forget_ended_threads() {
  std::erase_if(threads_, [this](const std::unique_ptr<Thread>& thread) {
    if (!thread->has_ended || thread->is_running) return false;
    retired_by_ended_ += thread->hart.retired;
    used_by_ended_ps_ += thread->used_ps;
    return true;
  });
}

void Process::kill(Thread& thread, const Signal& signal) {
  if (end_ || end_if_out_of_memory(thread)) return;
  end_ = End{.signal = signal.number,
             .cause = describe(thread.hart, signal),
             .thread = thread.id,
             .address = accessed(signal),
             .is_illegal = signal.number == SIGILL && signal.code == ill_illopc};
}

bool Process::end_if_out_of_memory(Thread& thread) {
  if (!space_.memory().count().is_exceeded) return false;
  if (!end_)
    end_ = End{.signal = SIGKILL,
               .cause = fmt::format("out of memory (SIGKILL) at pc {:#x}", thread.hart.pc),
               .thread = thread.id,
               .is_out_of_memory = true};
  return true;
}

void Process::suspend(Thread& thread, Wait wait) {
  thread.wait = wait;
  thread.wait.number = ++waits_;
}

void Process::resume(Thread& thread, std::int64_t result, std::int64_t now_ps) {
  thread.hart.x[a0] = static_cast<std::uint64_t>(result);
  thread.deadline_ps.reset();
  thread.moved = 0;
  go_on(thread, now_ps);
}

void Process::files_changed(std::int64_t now_ps) {
  for (const auto& thread : threads_)
    if (thread->wait.what == Wait::For::retry) go_on(*thread, now_ps);
}

/// The thread that has waited longest for an address with one of these bits; null: none.
Thread* Process::first_waiting(std::uint64_t address, std::uint32_t bits) const {
  Thread* first = nullptr;
  for (const auto& thread : threads_) {
    const Wait& wait = thread->wait;
    const bool waits = wait.what == Wait::For::futex && wait.address == address && (wait.bits & bits) != 0;
    if (waits && (first == nullptr || wait.number < first->wait.number)) first = thread.get();
  }
  return first;
}

std::int64_t Process::wake(std::uint64_t address, std::int64_t count, std::uint32_t bits, std::int64_t now_ps) {
  std::int64_t woken = 0;
  for (; woken < count; ++woken) {
    Thread* const first = first_waiting(address, bits);
    if (first == nullptr) break;
    first->losses.address = address;
    first->losses.retired = first->hart.retired;
    resume(*first, 0, now_ps);
  }
  return woken;
}

std::optional<std::int64_t> Process::waits_since(std::uint64_t address, std::uint32_t bits) const {
  const Thread* const first = end_ ? nullptr : first_waiting(address, bits);
  return first == nullptr ? std::nullopt : std::optional(first->hart.time_ps);
}

bool Process::waits_for_shared_word() const {
  return std::any_of(threads_.begin(), threads_.end(), [&](const auto& thread) {
    return thread->wait.what == Wait::For::futex && thread->wait.address >= shared_begin();
  });
}

int Process::most_losses(std::uint64_t address) const {
  int most = 0;
  for (const auto& thread : threads_)
    if (thread->wait.what == Wait::For::futex && thread->wait.address == address)
      most = std::max(most, thread->losses.count);
  return most;
}

std::int64_t Process::requeue(std::uint64_t from, std::int64_t count, std::uint64_t to) {
  std::int64_t moved = 0;
  for (; moved < count && from != to; ++moved) {
    Thread* const first = first_waiting(from, ~0U);
    if (first == nullptr) break;
    first->wait.address = to;
    first->wait.number = ++waits_;
  }
  return moved;
}

void Process::time_out(Thread& thread) {
  const std::int64_t now = *thread.wait.until_ps;
  if (thread.wait.what == Wait::For::retry || thread.wait.what == Wait::For::signal) return go_on(thread, now);
  resume(thread, thread.wait.what == Wait::For::futex ? -ETIMEDOUT : thread.wait.result, now);
}

std::optional<std::int64_t> Process::next_time_out() const {
  std::optional<std::int64_t> first;
  if (alarm_) first = alarm_->at_ps;
  for (const auto& thread : threads_) {
    const Wait& wait = thread->wait;
    if (thread->has_ended || wait.what == Wait::For::turn || !wait.until_ps) continue;
    if (!first || *wait.until_ps < *first) first = wait.until_ps;
  }
  return first;
}

void Process::send_alarm(std::int64_t now_ps) {
  const std::int64_t interval = alarm_->interval_ps;
  if (interval > 0)
    alarm_->at_ps += ((now_ps - alarm_->at_ps) / interval + 1) * interval;  // those that were missed are one
  else
    alarm_.reset();
  send({.number = SIGALRM, .code = SI_KERNEL}, now_ps);
}

void Process::send(Thread& thread, const Signal& signal, std::int64_t now_ps) {
  const bool is_blocked = (thread.blocked & bit_of(signal.number)) != 0;
  if (!is_blocked && is_ignored(actions_[signal.number], signal.number)) return;
  if (add_to(thread.pending, signal)) interrupt(thread, now_ps);
}

void Process::send(const Signal& signal, std::int64_t now_ps) {
  Thread* best = nullptr;
  for (const auto& thread : threads_) {
    if (thread->has_ended) continue;
    if (waits_for(*thread, signal)) return send(*thread, signal, now_ps);
    const bool is_blocked = (thread->blocked & bit_of(signal.number)) != 0;
    if (best == nullptr && !is_blocked) best = thread.get();
  }
  if (best != nullptr) return send(*best, signal, now_ps);
  add_to(pending_, signal);
}

bool Process::has_full_queue() const {
  std::size_t queued = pending_.size();
  for (const auto& thread : threads_) queued += thread->pending.size();
  return queued >= most_pending;
}

void Process::end_waits_until(std::int64_t time_ps) {
  if (alarm_ && alarm_->at_ps <= time_ps) send_alarm(time_ps);
  for (const auto& thread : threads_) {
    const Wait& wait = thread->wait;
    if (thread->has_ended || wait.what == Wait::For::turn || !wait.until_ps || *wait.until_ps > time_ps) continue;
    time_out(*thread);
  }
}

bool Process::has_signal(const Thread& thread) const {
  const auto handles = [&](const Signal& signal) {
    return (thread.blocked & bit_of(signal.number)) == 0 && !is_ignored(actions_[signal.number], signal.number);
  };
  return std::any_of(thread.pending.begin(), thread.pending.end(), handles) ||
         std::any_of(pending_.begin(), pending_.end(), handles);
}

std::optional<std::int64_t> Process::next_alarm() const { return alarm_ ? std::optional(alarm_->at_ps) : std::nullopt; }

void Process::call_again(Thread& thread, std::int64_t now_ps) {
  thread.hart.pc -= ecall_bytes;
  go_on(thread, now_ps);
}

void Process::go_on(Thread& thread, std::int64_t now_ps) {
  thread.wait = {};
  thread.ready_ps = std::max(now_ps, thread.hart.time_ps);
  has_made_ready_ = true;
}

void Process::interrupt(Thread& thread, std::int64_t now_ps) {
  const auto takes = [&](const Signal& signal) { return waits_for(thread, signal); };
  if (std::any_of(thread.pending.begin(), thread.pending.end(), takes)) return go_on(thread, now_ps);
  const auto lasts = [what = thread.wait.what](Wait::For kind) { return what == kind; };
  if (!has_signal(thread) || lasts(Wait::For::disk)) return;
  if (lasts(Wait::For::turn) || lasts(Wait::For::memory)) {
    if (settings_.machine != nullptr) settings_.machine->signalled(thread);
    return;
  }
  const bool tries_again = lasts(Wait::For::retry) || lasts(Wait::For::signal);
  if (thread.wait.rest != 0 && thread.wait.until_ps) {
    const std::int64_t left = std::max<std::int64_t>(0, *thread.wait.until_ps - now_ps);
    const std::array<std::int64_t, 2> time{left / 1'000'000'000'000, left % 1'000'000'000'000 / 1000};
    space_.memory().write(thread.wait.rest, time);
  }
  if (thread.wait.restarts && thread.moved == 0) thread.restart = thread.hart.x[a0];
  resume(thread, thread.moved == 0 ? -EINTR : static_cast<std::int64_t>(thread.moved), now_ps);
  if (tries_again) thread.hart.pc += ecall_bytes;
}

void Process::warn_once(const std::string& sentence) {
  if (warned_.insert(sentence).second) settings_.warn(sentence);
}

}  // namespace sanvp::riscv::os
