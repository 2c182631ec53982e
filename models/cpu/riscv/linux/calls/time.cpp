/// clock_gettime, gettimeofday, nanosleep, times and others: simulated time.
#include <sys/resource.h>
#include <sys/time.h>

#include <ctime>

#include "models/cpu/riscv/linux/calls/clock.hpp"

namespace sanvp::riscv::os {
namespace {

std::int64_t used_ps(const Thread& thread) { return thread.used_ps + thread.hart.time_ps - thread.since_ps; }

std::int64_t used_by_process_ps(const Call& call) {
  std::int64_t sum = call.process.used_by_ended_ps();
  for (const auto& thread : call.process.threads())
    sum += thread.get() == &call.thread ? used_ps(*thread) : thread->used_ps;
  return sum;
}

/// A clock of CPU time as pthread_getcpuclockid and clock_getcpuclockid make them: the complement of an id, and which
/// kind.
std::optional<TimeSpan> read_clock_of(const Call& call, int clock) {
  constexpr int kinds = 3, scheduled = 2, of_thread = 4, bits_of_kind = 3;
  const int id = ~(clock >> bits_of_kind);
  if (clock >= 0 || (clock & kinds) != scheduled) return std::nullopt;
  if ((clock & of_thread) == 0) {
    if (id != 0 && id != call.process.settings().id) return std::nullopt;
    return TimeSpan::of(used_by_process_ps(call));
  }
  for (const auto& thread : call.process.threads()) {
    if (id != 0 ? thread->id != id : thread.get() != &call.thread) continue;
    return TimeSpan::of(thread.get() == &call.thread ? used_ps(*thread) : thread->used_ps);
  }
  return std::nullopt;
}

std::optional<TimeSpan> read_clock(Call& call, std::uint64_t clock) {
  const std::int64_t now = call.thread.hart.time_ps;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: {
      TimeSpan time = TimeSpan::of(now);
      time.seconds += first_second;
      return time;
    }
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      return TimeSpan::of(now);
    case CLOCK_THREAD_CPUTIME_ID:
      return TimeSpan::of(used_ps(call.thread));
    case CLOCK_PROCESS_CPUTIME_ID:
      return TimeSpan::of(used_by_process_ps(call));
    default:
      return read_clock_of(call, static_cast<int>(clock));
  }
}

Result clock_gettime(Call& call) {
  const auto time = read_clock(call, call[0]);
  if (!time) return -EINVAL;
  return call.memory().write(call[1], *time) ? 0 : -EFAULT;
}

/// An ordinary user sets no clock.
Result clock_settime(Call& call) {
  if (!call.memory().read<TimeSpan>(call[1])) return -EFAULT;
  return call[0] == CLOCK_REALTIME ? -EPERM : -EINVAL;
}

Result clock_getres(Call& call) {
  if (!read_clock(call, call[0])) return -EINVAL;
  return call[1] == 0 || call.memory().write(call[1], TimeSpan{0, 1}) ? 0 : -EFAULT;
}

Result gettimeofday(Call& call) {
  TimeSpan time = *read_clock(call, CLOCK_REALTIME);
  time.nanoseconds /= 1000;  // struct timeval has microseconds
  return call[0] == 0 || call.memory().write(call[0], time) ? 0 : -EFAULT;
}

Result sleep_until(Call& call, std::int64_t until_ps, std::uint64_t rest) {
  if (until_ps <= call.thread.hart.time_ps) return 0;
  call.process.suspend(call.thread, {.what = Wait::For::time, .until_ps = until_ps, .rest = rest});
  call.process.interrupt(call.thread, call.thread.hart.time_ps);
  return no_result;
}

Result nanosleep(Call& call) {
  const auto span = call.memory().read<TimeSpan>(call[0]);
  if (!span) return -EFAULT;
  if (!span->is_valid()) return -EINVAL;
  return sleep_until(call, after(call.thread.hart.time_ps, *span), call[1]);
}

Result clock_nanosleep(Call& call) {
  const auto span = call.memory().read<TimeSpan>(call[2]);
  if (!span) return -EFAULT;
  if (!span->is_valid() || !read_clock(call, call[0])) return -EINVAL;
  if ((call[1] & TIMER_ABSTIME) == 0) return sleep_until(call, after(call.thread.hart.time_ps, *span), call[3]);
  return sleep_until(call, call[0] == CLOCK_REALTIME ? calendar_ps(*span) : span->ps(), 0);
}

/// The usage of children is zero: a process has none.
Result getrusage(Call& call) {
  const int of = call.integer(0);
  if (of != RUSAGE_SELF && of != RUSAGE_THREAD && of != RUSAGE_CHILDREN) return -EINVAL;
  std::array<std::int64_t, 18> usage{};  // struct rusage, which begins with the times of user and system
  if (of == RUSAGE_CHILDREN) return call.memory().write(call[1], usage) ? 0 : -EFAULT;
  const TimeSpan used = *read_clock(call, of == RUSAGE_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
  usage[0] = used.seconds;
  usage[1] = used.nanoseconds / 1000;
  usage[4] = static_cast<std::int64_t>(call.process.space().used() / 1024);  // ru_maxrss: what is used now
  return call.memory().write(call[1], usage) ? 0 : -EFAULT;
}

/// CPU time in ticks of a hundredth of a second (USER_HZ), and the time since the start.
Result times(Call& call) {
  constexpr std::int64_t tick_ps = ps_per_s / 100;
  const std::array<std::int64_t, 4> used{used_by_process_ps(call) / tick_ps};  // of user, system, children
  if (call[0] != 0 && !call.memory().write(call[0], used)) return -EFAULT;
  return call.thread.hart.time_ps / tick_ps;
}

/// struct itimerval: microseconds where struct timespec has nanoseconds.
struct Timer {
  TimeSpan interval{}, value{};
};

TimeSpan in_microseconds(std::int64_t ps) {
  TimeSpan span = TimeSpan::of(ps);
  span.nanoseconds /= 1000;
  return span;
}

std::int64_t ps_of(TimeSpan span) {
  span.nanoseconds *= 1000;
  return span.ps();
}

Timer timer_of(const Call& call) {
  const auto& alarm = call.process.alarm();
  if (!alarm) return {};
  const std::int64_t left = std::max(alarm->at_ps - call.thread.hart.time_ps, 1000 * ps_per_ns);
  return {in_microseconds(alarm->interval_ps), in_microseconds(left)};
}

Result getitimer(Call& call) {
  if (call[0] != ITIMER_REAL) return -EINVAL;
  return call.memory().write(call[1], timer_of(call)) ? 0 : -EFAULT;
}

/// Only the timer of real time, which is simulated time. The signal comes when the thread has its next turn: a quantum
/// late at most.
Result setitimer(Call& call) {
  if (call[0] != ITIMER_REAL) return -EINVAL;
  const Timer before = timer_of(call);
  const auto wanted = call.memory().read<Timer>(call[1]);
  if (!wanted) return -EFAULT;
  constexpr std::int64_t microseconds = 1'000'000;
  for (const TimeSpan& span : {wanted->interval, wanted->value})
    if (!span.is_valid() || span.nanoseconds >= microseconds) return -EINVAL;
  const std::int64_t now = call.thread.hart.time_ps, value = ps_of(wanted->value);
  call.process.alarm().reset();
  if (value > 0) call.process.alarm() = {after(now, TimeSpan::of(value)), ps_of(wanted->interval)};
  return call[2] == 0 || call.memory().write(call[2], before) ? 0 : -EFAULT;
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"getitimer", "when the next alarm comes", 102, getitimer}),
    SystemCallRegistration({"setitimer", "alarms in simulated time (ITIMER_REAL)", 103, setitimer}),
    SystemCallRegistration({"clock_gettime", "simulated time", 113, clock_gettime}),
    SystemCallRegistration({"clock_settime", "an ordinary user sets none", 112, clock_settime}),
    SystemCallRegistration({"clock_getres", "a nanosecond", 114, clock_getres}),
    SystemCallRegistration({"gettimeofday", "simulated time", 169, gettimeofday}),
    SystemCallRegistration({"nanosleep", "for a simulated time", 101, nanosleep}),
    SystemCallRegistration({"clock_nanosleep", "for or until a simulated time", 115, clock_nanosleep}),
    SystemCallRegistration({"times", "simulated CPU time in ticks", 153, times}),
    SystemCallRegistration({"getrusage", "simulated CPU time", 165, getrusage})};

}  // namespace
}  // namespace sanvp::riscv::os
