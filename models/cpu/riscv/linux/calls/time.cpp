/// clock_gettime, gettimeofday, nanosleep and others: simulated time.
#include <sys/resource.h>

#include <ctime>

#include "models/cpu/riscv/linux/calls/clock.hpp"

namespace sanvp::riscv::os {
namespace {

std::int64_t used_ps(const Thread& thread) { return thread.used_ps + thread.hart.time_ps - thread.since_ps; }

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
    case CLOCK_PROCESS_CPUTIME_ID: {
      std::int64_t sum = call.process.used_by_ended_ps();
      for (const auto& thread : call.process.threads())
        sum += thread.get() == &call.thread ? used_ps(*thread) : thread->used_ps;
      return TimeSpan::of(sum);
    }
    default:
      return std::nullopt;
  }
}

Result clock_gettime(Call& call) {
  const auto time = read_clock(call, call[0]);
  if (!time) return -EINVAL;
  return call.memory().write(call[1], *time) ? 0 : -EFAULT;
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

Result getrusage(Call& call) {
  std::array<std::int64_t, 18> usage{};  // struct rusage, which begins with the times of user and system
  const TimeSpan used =
      *read_clock(call, call.integer(0) == RUSAGE_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
  usage[0] = used.seconds;
  usage[1] = used.nanoseconds / 1000;
  return call.memory().write(call[1], usage) ? 0 : -EFAULT;
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"clock_gettime", "simulated time", 113, clock_gettime}),
    SystemCallRegistration({"clock_getres", "a nanosecond", 114, clock_getres}),
    SystemCallRegistration({"gettimeofday", "simulated time", 169, gettimeofday}),
    SystemCallRegistration({"nanosleep", "for a simulated time", 101, nanosleep}),
    SystemCallRegistration({"clock_nanosleep", "for or until a simulated time", 115, clock_nanosleep}),
    SystemCallRegistration({"getrusage", "simulated CPU time", 165, getrusage})};

}  // namespace
}  // namespace sanvp::riscv::os
