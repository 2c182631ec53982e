/// Handlers, masks and sending of signals within the process.
#include "models/cpu/riscv/linux/signals.hpp"

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr int most_signals = 64, first_queued = 32;
constexpr SignalSet never_blocked = bit_of(SIGKILL) | bit_of(SIGSTOP);
constexpr int si_user = 0, si_tkill = -6;

Result rt_sigaction(Call& call) {
  const std::uint64_t signal = call[0];
  if (signal < 1 || signal > most_signals || call[3] != sizeof(SignalSet)) return -EINVAL;
  SignalAction& action = call.process.actions()[signal];
  const SignalAction before = action;
  if (call[1] != 0) {
    const auto wanted = call.memory().read<SignalAction>(call[1]);
    if (!wanted) return -EFAULT;
    if (signal == SIGKILL || signal == SIGSTOP) return -EINVAL;
    action = *wanted;
  }
  return call[2] == 0 || call.memory().write(call[2], before) ? 0 : -EFAULT;
}

Result rt_sigprocmask(Call& call) {
  if (call[3] != sizeof(SignalSet)) return -EINVAL;
  const SignalSet before = call.thread.blocked;
  if (call[1] != 0) {
    const auto set = call.memory().read<SignalSet>(call[1]);
    if (!set) return -EFAULT;
    if (call[0] == SIG_BLOCK)
      call.thread.blocked |= *set;
    else if (call[0] == SIG_UNBLOCK)
      call.thread.blocked &= ~*set;
    else if (call[0] == SIG_SETMASK)
      call.thread.blocked = *set;
    else
      return -EINVAL;
    call.thread.blocked &= ~never_blocked;
  }
  return call[2] == 0 || call.memory().write(call[2], before) ? 0 : -EFAULT;
}

Result rt_sigpending(Call& call) {
  SignalSet set = 0;
  for (const Signal& signal : call.thread.pending) set |= bit_of(signal.number);
  return call.memory().write(call[0], set & call.thread.blocked) ? 0 : -EFAULT;
}

/// stack_t.
struct StackOfSignals {
  std::uint64_t address = 0;
  std::int32_t flags = 0, padding = 0;
  std::uint64_t bytes = 0;
};

Result sigaltstack(Call& call) {
  AlternateStack& stack = call.thread.alternate;
  const std::uint64_t sp = call.thread.hart.x[2];
  const bool is_in_use = stack.is_enabled && sp - stack.address < stack.bytes;
  const StackOfSignals before{stack.address, stack.is_enabled ? (is_in_use ? SS_ONSTACK : 0) : SS_DISABLE, 0,
                              stack.bytes};
  if (call[0] != 0) {
    const auto wanted = call.memory().read<StackOfSignals>(call[0]);
    constexpr std::uint64_t least = 2048;  // MINSIGSTKSZ
    if (!wanted) return -EFAULT;
    if (is_in_use) return -EPERM;
    const bool is_enabled = (wanted->flags & SS_DISABLE) == 0;
    if (is_enabled && wanted->bytes < least) return -ENOMEM;
    stack = {wanted->address, wanted->bytes, is_enabled};
  }
  return call[1] == 0 || call.memory().write(call[1], before) ? 0 : -EFAULT;
}

/// Waits for a signal with another mask; behind its handler the mask is what it was.
Result rt_sigsuspend(Call& call) {
  const auto blocked = call.memory().read<SignalSet>(call[0]);
  if (!blocked) return -EFAULT;
  Thread& thread = call.thread;
  thread.blocked_after = thread.blocked;
  thread.blocked = *blocked & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
  call.process.suspend(thread, {.what = Wait::For::time});
  call.process.interrupt(thread, thread.hart.time_ps);
  return no_result;
}

Result rt_sigreturn(Call& call) {
  if (!return_from_signal(call.process, call.thread)) call.process.kill(call.thread, {.number = SIGSEGV});
  return no_result;
}

/// A signal that does nothing is dropped; another ends a wait.
Result send(Call& call, Thread& thread, std::uint64_t signal, int code) {
  if (signal > most_signals) return -EINVAL;
  if (signal == 0) return 0;
  const int number = static_cast<int>(signal);
  if (is_ignored(call.process.actions()[signal], number) && (thread.blocked & bit_of(number)) == 0) return 0;
  for (const Signal& pending : thread.pending)
    if (pending.number == number && number < first_queued) return 0;  // ordinary signals do not queue
  const auto sender = static_cast<std::uint64_t>(call.process.settings().id);
  thread.pending.push_back({number, code, sender});
  call.process.interrupt(thread, call.thread.hart.time_ps);
  return 0;
}

Thread* find(Call& call, int id) {
  for (const auto& thread : call.process.threads())
    if (thread->id == id && !thread->has_ended) return thread.get();
  return nullptr;
}

Result tkill(Call& call) {
  Thread* const thread = find(call, call.integer(0));
  return thread == nullptr ? -ESRCH : send(call, *thread, call[1], si_tkill);
}

Result tgkill(Call& call) {
  Thread* const thread = call.integer(0) == call.process.settings().id ? find(call, call.integer(1)) : nullptr;
  return thread == nullptr ? -ESRCH : send(call, *thread, call[2], si_tkill);
}

/// To the process: the first thread that does not block it.
Result kill(Call& call) {
  const int id = call.integer(0), own = call.process.settings().id;
  if (id != own && id != 0 && id != -own) return -ESRCH;
  if (call[1] > most_signals) return -EINVAL;
  Thread* best = &call.thread;
  for (const auto& thread : call.process.threads()) {
    const bool is_blocked = call[1] != 0 && (thread->blocked & bit_of(call.integer(1))) != 0;
    if (thread->has_ended || is_blocked) continue;
    best = thread.get();
    break;
  }
  return send(call, *best, call[1], si_user);
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"rt_sigaction", "handler of a signal", 134, rt_sigaction}),
    SystemCallRegistration({"rt_sigprocmask", "blocked signals", 135, rt_sigprocmask}),
    SystemCallRegistration({"rt_sigpending", "pending signals", 136, rt_sigpending}),
    SystemCallRegistration({"rt_sigsuspend", "waits for a signal", 133, rt_sigsuspend}),
    SystemCallRegistration({"rt_sigreturn", "from a handler", 139, rt_sigreturn}),
    SystemCallRegistration({"sigaltstack", "stack of handlers", 132, sigaltstack}),
    SystemCallRegistration({"tkill", "a signal to a thread", 130, tkill}),
    SystemCallRegistration({"tgkill", "a signal to a thread", 131, tgkill}),
    SystemCallRegistration({"kill", "a signal to the process itself", 129, kill})};

}  // namespace
}  // namespace sanvp::riscv::os
