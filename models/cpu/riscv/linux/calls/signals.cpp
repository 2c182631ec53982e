/// Handlers, masks and sending of signals within the process.
#include "models/cpu/riscv/linux/signals.hpp"

#include "models/cpu/riscv/linux/calls/clock.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr int most_signals = 64;
constexpr int si_user = 0, si_tkill = -6;

/// Drops pending signals of a kind that is ignored from now on.
void forget(Process& process, int signal) {
  const auto is_it = [signal](const Signal& pending) { return pending.number == signal; };
  std::erase_if(process.pending(), is_it);
  for (const auto& thread : process.threads()) std::erase_if(thread->pending, is_it);
}

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
    if (is_ignored(action, static_cast<int>(signal))) forget(call.process, static_cast<int>(signal));
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
  for (const auto* const pending : {&call.thread.pending, &call.process.pending()})
    for (const Signal& signal : *pending) set |= bit_of(signal.number);
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
    constexpr std::uint64_t least = 2048;           // MINSIGSTKSZ
    constexpr std::uint32_t autodisarm = 1U << 31;  // SS_AUTODISARM
    if (!wanted) return -EFAULT;
    if (is_in_use) return -EPERM;
    const auto mode = static_cast<std::uint32_t>(wanted->flags) & ~static_cast<std::uint32_t>(autodisarm);
    if (mode != 0 && mode != SS_ONSTACK && mode != SS_DISABLE) return -EINVAL;
    const bool is_enabled = (wanted->flags & SS_DISABLE) == 0;
    if (is_enabled && wanted->bytes < least) return -ENOMEM;
    stack = {wanted->address, wanted->bytes, is_enabled};
  }
  return call[1] == 0 || call.memory().write(call[1], before) ? 0 : -EFAULT;
}

/// Waits for a signal with another mask; after its handler the old mask is restored.
Result rt_sigsuspend(Call& call) {
  if (call[1] != sizeof(SignalSet)) return -EINVAL;
  const auto blocked = call.memory().read<SignalSet>(call[0]);
  if (!blocked) return -EFAULT;
  Thread& thread = call.thread;
  thread.block_during_call(*blocked);
  call.process.suspend(thread, {.what = Wait::For::time});
  call.process.interrupt(thread, thread.hart.time_ps);
  return no_result;
}

Result rt_sigreturn(Call& call) {
  if (!return_from_signal(call.process, call.thread)) call.process.kill(call.thread, {.number = SIGSEGV});
  return no_result;
}

/// The first of a set that is pending for the thread or for the process; it is no longer pending.
std::optional<Signal> take(Call& call, SignalSet set) {
  const auto signal = take_pending(call.thread.pending, set);
  return signal ? signal : take_pending(call.process.pending(), set);
}

Result rt_sigtimedwait(Call& call) {
  const auto set = call.memory().read<SignalSet>(call[0]);
  if (!set) return -EFAULT;
  if (call[3] != sizeof(SignalSet)) return -EINVAL;
  const std::int64_t now = call.thread.hart.time_ps;
  if (const std::int64_t error = set_deadline(call, 2); error != 0) return error;
  const std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  const SignalSet wanted = *set & ~never_blocked;
  if (const auto signal = take(call, wanted)) {
    return call[1] == 0 || call.memory().write(call[1], SignalInformation::of(*signal)) ? signal->number : -EFAULT;
  }
  if (deadline && *deadline <= now) return -EAGAIN;
  call.thread.hart.pc -= ecall_bytes;
  call.process.suspend(call.thread, {.what = Wait::For::signal, .until_ps = deadline, .signals = wanted});
  call.process.interrupt(call.thread, now);
  return no_result;
}

Signal signal_of(const Call& call, std::uint64_t number, int code) {
  constexpr int bits_of_process = 32;
  constexpr std::uint64_t user = 1000;  // calls/identity
  return {static_cast<int>(number), code,
          static_cast<std::uint64_t>(call.process.settings().id) | user << bits_of_process};
}

constexpr int first_queued = 32;  // the others are pending once at most

/// For a full queue: a signal sent by kill merges with the pending one.
Result refuse(const Signal& signal) { return signal.code == si_user ? 0 : -EAGAIN; }

Result send(Call& call, Thread* thread, const Signal& signal) {
  if (thread == nullptr) return -ESRCH;
  if (signal.number < 0 || signal.number > most_signals) return -EINVAL;
  if (signal.number >= first_queued && call.process.has_full_queue()) return refuse(signal);
  if (signal.number != 0) call.process.send(*thread, signal, call.thread.hart.time_ps);
  return 0;
}

/// To the process.
Result send(Call& call, const Signal& signal) {
  if (signal.number < 0 || signal.number > most_signals) return -EINVAL;
  if (signal.number >= first_queued && call.process.has_full_queue()) return refuse(signal);
  if (signal.number != 0) call.process.send(signal, call.thread.hart.time_ps);
  return 0;
}

Thread* find(Call& call, int group, int id) {
  return group == call.process.settings().id ? call.process.find_thread(id) : nullptr;
}

Result tkill(Call& call) {
  return send(call, call.process.find_thread(call.integer(0)), signal_of(call, call[1], si_tkill));
}

Result tgkill(Call& call) {
  return send(call, find(call, call.integer(0), call.integer(1)), signal_of(call, call[2], si_tkill));
}

Result kill(Call& call) {
  const int id = call.integer(0), own = call.process.settings().id;
  if (id != own && id != 0 && id != -own) return -ESRCH;
  return send(call, signal_of(call, call[1], si_user));
}

/// What sigqueue and pthread_sigqueue send. Codes from 0 on are the kernel's own.
std::optional<Signal> queued(const Call& call, std::size_t number, std::size_t information) {
  const auto given = call.memory().read<SignalInformation>(call[information]);
  if (!given) return std::nullopt;
  return Signal{call.integer(number), given->code, given->value, given->sent};
}

Result rt_sigqueueinfo(Call& call) {
  const auto signal = queued(call, 1, 2);
  if (!signal) return -EFAULT;
  return call.integer(0) == call.process.settings().id ? send(call, *signal) : -ESRCH;
}

Result rt_tgsigqueueinfo(Call& call) {
  const auto signal = queued(call, 2, 3);
  if (!signal) return -EFAULT;
  return send(call, find(call, call.integer(0), call.integer(1)), *signal);
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"rt_sigaction", "handler of a signal", 134, rt_sigaction}),
    SystemCallRegistration({"rt_sigprocmask", "blocked signals", 135, rt_sigprocmask}),
    SystemCallRegistration({"rt_sigpending", "pending signals", 136, rt_sigpending}),
    SystemCallRegistration({"rt_sigsuspend", "waits for a signal", 133, rt_sigsuspend}),
    SystemCallRegistration({"rt_sigreturn", "from a handler", 139, rt_sigreturn}),
    SystemCallRegistration({"sigaltstack", "stack of handlers", 132, sigaltstack}),
    SystemCallRegistration({"rt_sigtimedwait", "takes a signal that is blocked", 137, rt_sigtimedwait}),
    SystemCallRegistration({"rt_sigqueueinfo", "a signal with a value", 138, rt_sigqueueinfo}),
    SystemCallRegistration({"rt_tgsigqueueinfo", "a signal with a value to a thread", 240, rt_tgsigqueueinfo}),
    SystemCallRegistration({"tkill", "a signal to a thread", 130, tkill}),
    SystemCallRegistration({"tgkill", "a signal to a thread", 131, tgkill}),
    SystemCallRegistration({"kill", "a signal to the process itself", 129, kill})};

}  // namespace
}  // namespace sanvp::riscv::os
