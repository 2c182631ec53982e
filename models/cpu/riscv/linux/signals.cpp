#include "models/cpu/riscv/linux/signals.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/cpu/riscv/linux/debugger.hpp"
#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

/// struct rt_sigframe of arch/riscv: siginfo, then ucontext with the registers.
struct SignalFrame {
  SignalInformation information{};
  std::uint64_t flags = 0, link = 0;
  std::uint64_t stack_address = 0, stack_flags = 0, stack_bytes = 0;
  SignalSet blocked = 0;
  std::array<std::uint8_t, 128> unused{};
  std::array<std::uint64_t, 32> x{};  ///< the pc in place of x0
  std::array<std::uint64_t, 32> f{};
  std::uint32_t fcsr = 0;
  std::array<std::uint8_t, 268> rest_of_floats{};  ///< room for registers of 128 bits
};
static_assert(sizeof(SignalFrame) == 128 + 960);
static_assert(offsetof(SignalFrame, x) == 128 + 176);

constexpr unsigned sp = 2, ra = 1, a0 = 10, a1 = 11, a2 = 12;

bool is_on(const AlternateStack& stack, std::uint64_t address) { return address - stack.address < stack.bytes; }

bool push_frame(Process& process, Thread& thread, const Signal& signal, const SignalAction& action) {
  Hart64& hart = thread.hart;
  const SignalSet blocked = thread.blocked_after.value_or(thread.blocked);
  SignalFrame frame{.information = SignalInformation::of(signal), .blocked = blocked};
  frame.stack_address = thread.alternate.address;
  frame.stack_bytes = thread.alternate.bytes;
  frame.stack_flags = thread.alternate.is_enabled ? 0 : SS_DISABLE;
  std::copy_n(hart.x.begin(), frame.x.size(), frame.x.begin());
  frame.x[0] = hart.pc;
  frame.f = hart.f;
  frame.fcsr = static_cast<std::uint32_t>(hart.rounding << 5 | hart.flags);
  std::uint64_t top = hart.x[sp];
  const AlternateStack& other = thread.alternate;
  if ((action.flags & SA_ONSTACK) != 0 && other.is_enabled && !is_on(other, top)) top = other.address + other.bytes;
  const std::uint64_t address = (top - sizeof frame) & ~std::uint64_t{15};
  if (!process.space().memory().write(address, frame)) return false;
  hart.x[sp] = address;
  hart.x[ra] = process.sigreturn_address();
  hart.x[a0] = static_cast<std::uint64_t>(signal.number);
  hart.x[a1] = address;
  hart.x[a2] = address + offsetof(SignalFrame, flags);
  hart.pc = action.handler;
  thread.blocked_after.reset();
  return true;
}

/// Restarts the call that the signal has ended.
void restart_call(Thread& thread) {
  thread.hart.x[a0] = *std::exchange(thread.restart, std::nullopt);
  thread.hart.pc -= ecall_bytes;
}

/// Ends a call that is being retried: calls of the handler must not continue it.
void end_retried_call(Thread& thread) {
  if (thread.moved == 0 && !thread.deadline_ps) return;
  thread.hart.x[a0] = thread.moved == 0 ? static_cast<std::uint64_t>(-EINTR) : thread.moved;
  thread.hart.pc += ecall_bytes;
  thread.moved = 0;
  thread.deadline_ps.reset();
}

void call_handler(Process& process, Thread& thread, const Signal& signal) {
  SignalAction& action = process.actions()[signal.number];
  const SignalAction called = action;
  if (thread.restart && (called.flags & SA_RESTART) != 0) restart_call(thread);
  thread.restart.reset();
  end_retried_call(thread);
  if (!push_frame(process, thread, signal, called)) {  // of a fault on a full stack: the address of the fault
    const bool is_fault = signal.number == SIGSEGV && signal.code > 0;
    return process.kill(thread, is_fault ? signal : Signal{.number = SIGSEGV});
  }
  thread.blocked |= called.blocked;
  if ((called.flags & SA_NODEFER) == 0) thread.blocked |= bit_of(signal.number);
  if ((called.flags & SA_RESETHAND) != 0) action.handler = default_handler;
}

/// The signal that a debugger substitutes for this one; number 0: none.
Signal seen_by_debugger(Process& process, Thread& thread, const Signal& signal) {
  if (process.debugger() == nullptr) return signal;
  const int number = process.debugger()->signal(process, thread, signal);
  return number == signal.number ? signal : Signal{.number = number};
}

}  // namespace

std::optional<Signal> take_pending(std::deque<Signal>& pending, SignalSet set) {
  auto best = pending.end();
  for (auto signal = pending.begin(); signal != pending.end(); ++signal) {
    const bool is_wanted = (set & bit_of(signal->number)) != 0;
    if (is_wanted && (best == pending.end() || signal->number < best->number)) best = signal;
  }
  if (best == pending.end()) return std::nullopt;
  const Signal signal = *best;
  pending.erase(best);
  return signal;
}

bool is_ignored(const SignalAction& action, int signal) {
  if (action.handler == ignoring_handler) return true;
  if (action.handler != default_handler) return false;
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

void deliver_signals(Process& process, Thread& thread) {
  while (!process.end()) {
    auto sent = take_pending(thread.pending, ~thread.blocked);
    if (!sent) sent = take_pending(process.pending(), ~thread.blocked);
    if (!sent && thread.restart) restart_call(thread);
    if (!sent && !thread.blocked_after) return;
    if (!sent) {
      thread.block_as_before_call();
      continue;
    }
    if (is_ignored(process.actions()[sent->number], sent->number)) continue;
    const Signal signal = seen_by_debugger(process, thread, *sent);
    const SignalAction& action = process.actions()[signal.number];
    if (signal.number == 0 || is_ignored(action, signal.number)) continue;
    if (action.handler == default_handler)
      process.kill(thread, signal);
    else
      call_handler(process, thread, signal);
  }
}

void deliver_fault(Process& process, Thread& thread, const Signal& fault) {
  const Signal signal = seen_by_debugger(process, thread, fault);
  if (signal.number == 0) return;
  const SignalAction& action = process.actions()[signal.number];
  const bool is_blocked = (thread.blocked & bit_of(signal.number)) != 0;
  if (is_blocked || action.handler == default_handler || action.handler == ignoring_handler)
    return process.kill(thread, signal);
  call_handler(process, thread, signal);
}

bool call_function(Process& process, Thread& thread, std::uint64_t function, std::span<const std::uint64_t> arguments) {
  const SignalAction action{.handler = function};
  if (!push_frame(process, thread, Signal{}, action)) return false;
  std::copy(arguments.begin(), arguments.end(), thread.hart.x.begin() + a0);
  thread.blocked = ~never_blocked;
  return true;
}

std::optional<Interrupted> interrupted_by_frame(const Process& process, std::uint64_t frame) {
  const auto kept = process.space().memory().read<SignalFrame>(frame);
  if (!kept) return std::nullopt;
  Interrupted interrupted{kept->information.number, kept->x[0], kept->x};
  interrupted.x[0] = 0;
  return interrupted;
}

bool return_from_signal(Process& process, Thread& thread) {
  Hart64& hart = thread.hart;
  const auto frame = process.space().memory().read<SignalFrame>(hart.x[sp]);
  if (!frame) return false;
  std::copy(frame->x.begin() + 1, frame->x.end(), hart.x.begin() + 1);
  hart.pc = frame->x[0] & ~std::uint64_t{1};
  hart.f = frame->f;
  hart.flags = frame->fcsr & 0x1F;
  hart.rounding = frame->fcsr >> 5 & 7;
  thread.blocked = frame->blocked & ~never_blocked;
  return true;
}

}  // namespace sanvp::riscv::os
