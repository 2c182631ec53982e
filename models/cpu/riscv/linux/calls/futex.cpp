/// futex: threads wait for words of memory.
#include <linux/futex.h>

#include "models/cpu/riscv/linux/calls/clock.hpp"
#include "models/cpu/riscv/linux/waiters.hpp"

namespace sanvp::riscv::os {
namespace {

/// If a loop locks a mutex again as soon as it has unlocked it, a waiting thread may always come too late. On hardware
/// an interrupt of the loop's CPU ends that sooner or later. Here times repeat exactly, and it could last for ever.
constexpr int tolerated_losses = 8;
/// An assumption: what an interrupt with a switch to a daemon takes, and more than any of the CPUs needs to lock a
/// mutex.
constexpr std::int64_t interruption_ps = 10'000'000;

/// Whether the thread waits again for the word for which it was woken, without having done anything else.
bool has_lost(const Thread& thread, std::uint64_t address) {
  constexpr std::uint64_t most_instructions = 32;  // glibc's loop around the system call has about 20
  return thread.losses.address == address && thread.hart.retired - thread.losses.retired <= most_instructions;
}

/// @param until_ps  none: it waits for ever
Result wait(Call& call, std::uint32_t bits, std::optional<std::int64_t> until_ps) {
  const auto word = call.memory().read<std::uint32_t>(call[0]);
  if (!word) return -EFAULT;
  if (bits == 0) return -EINVAL;
  if (*word != static_cast<std::uint32_t>(call[2])) return -EAGAIN;
  Losses& losses = call.thread.losses;
  losses.count = has_lost(call.thread, call[0]) ? losses.count + 1 : 0;
  call.process.suspend(
      call.thread,
      {.what = Wait::For::futex, .address = call[0], .bits = bits, .until_ps = until_ps, .restarts = !until_ps});
  call.process.interrupt(call.thread, call.thread.hart.time_ps);
  return no_result;
}

/// FUTEX_WAIT has a span, FUTEX_WAIT_BITSET a moment.
Result wait_with_timeout(Call& call, int operation) {
  const bool has_bits = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  const std::uint32_t bits = has_bits ? static_cast<std::uint32_t>(call[5]) : FUTEX_BITSET_MATCH_ANY;
  if (call[3] == 0) return wait(call, bits, std::nullopt);
  const auto time = call.memory().read<TimeSpan>(call[3]);
  if (!time) return -EFAULT;
  if (!time->is_valid()) return -EINVAL;
  if (!has_bits) return wait(call, bits, after(call.thread.hart.time_ps, *time));
  return wait(call, bits, (operation & FUTEX_CLOCK_REALTIME) != 0 ? calendar_ps(*time) : time->ps());
}

/// If other processes see the word, wakes the threads that would move to the other word: a spurious wakeup is always
/// permitted.
Result requeue(Call& call, bool compares) {
  const auto word = call.memory().read<std::uint32_t>(call[0]);
  if (!word) return -EFAULT;
  if (compares && *word != static_cast<std::uint32_t>(call[5])) return -EAGAIN;
  const std::int64_t now = call.thread.hart.time_ps;
  Waiters waiters(call.process, call[0]);
  const std::int64_t woken = waiters.wake(call.integer(2), FUTEX_BITSET_MATCH_ANY, now);
  if (waiters.is_shared()) return woken + waiters.wake(call.integer(3), FUTEX_BITSET_MATCH_ANY, now);
  return woken + call.process.requeue(call[0], call.integer(3), call[4]);
}

/// FUTEX_WAKE_OP: changes a second word, wakes for the first, and for the second if its old value meets the condition.
Result wake_and_change(Call& call) {
  const auto code = static_cast<std::uint32_t>(call[5]);
  const std::int64_t now = call.thread.hart.time_ps;
  const auto before = call.memory().read<std::int32_t>(call[4]);
  if (!before) return -EFAULT;
  const auto field = [&](int low) { return static_cast<std::int32_t>(code << (20 - low)) >> 20; };
  std::int32_t operand = field(12);
  if ((code >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) operand = static_cast<std::int32_t>(1U << (operand & 31));
  std::int32_t after = operand;
  switch (code >> 28 & 7) {
    case FUTEX_OP_SET:
      break;
    case FUTEX_OP_ADD:
      after = static_cast<std::int32_t>(static_cast<std::uint32_t>(*before) + static_cast<std::uint32_t>(operand));
      break;
    case FUTEX_OP_OR:
      after = *before | operand;
      break;
    case FUTEX_OP_ANDN:
      after = *before & ~operand;
      break;
    case FUTEX_OP_XOR:
      after = *before ^ operand;
      break;
    default:
      return -ENOSYS;
  }
  if (!call.memory().write(call[4], after)) return -EFAULT;
  const std::int32_t limit = field(0);
  const bool tests[] = {*before == limit, *before != limit, *before<limit, *before <= limit, *before> limit,
                        *before >= limit};
  const std::uint32_t test = code >> 24 & 15;
  if (test >= std::size(tests)) return -ENOSYS;
  std::int64_t woken = Waiters(call.process, call[0]).wake(call.integer(2), FUTEX_BITSET_MATCH_ANY, now);
  if (tests[test]) woken += Waiters(call.process, call[4]).wake(call.integer(3), FUTEX_BITSET_MATCH_ANY, now);
  return woken;
}

/// Wakes threads. The caller is interrupted, for ever longer, if those that it wakes have lost the lock too often.
Result wake(Call& call, std::uint32_t bits) {
  const std::int64_t now = call.thread.hart.time_ps;
  Waiters waiters(call.process, call[0]);
  const int losses = waiters.most_losses();
  const std::int64_t woken = waiters.wake(call.integer(2), bits, now);
  if (losses < tolerated_losses || woken == 0) return woken;
  const std::int64_t span = interruption_ps * (losses - tolerated_losses + 1);
  call.process.suspend(call.thread, {.what = Wait::For::time, .until_ps = now + span, .result = woken});
  return no_result;
}

Result futex(Call& call) {
  const int operation = call.integer(1);
  if (call[0] % sizeof(std::uint32_t) != 0) return -EINVAL;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return wait_with_timeout(call, operation);
    case FUTEX_WAKE:
      return wake(call, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
      return wake(call, static_cast<std::uint32_t>(call[5]));
    case FUTEX_REQUEUE:
      return requeue(call, false);
    case FUTEX_CMP_REQUEUE:
      return requeue(call, true);
    case FUTEX_WAKE_OP:
      return wake_and_change(call);
    default:
      call.process.warn_once("futex: priority inheritance is not there, and fails with ENOSYS");
      return -ENOSYS;
  }
}

const SystemCallRegistration registration({"futex", "waits for words of memory", 98, futex});

}  // namespace
}  // namespace sanvp::riscv::os
