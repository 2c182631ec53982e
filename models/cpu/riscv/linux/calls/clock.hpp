/// Simulated time as Linux passes it.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

constexpr std::int64_t ps_per_ns = 1000;
constexpr std::int64_t ps_per_s = 1'000'000'000'000;
/// The calendar time at which a run begins: 1 January 2003, 0:00 UTC, as in sw/hal/clock.c.
constexpr std::int64_t first_second = 1041379200;

/// struct timespec.
struct TimeSpan {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  bool is_valid() const { return seconds >= 0 && nanoseconds >= 0 && nanoseconds < 1'000'000'000; }
  /// The largest time for spans that simulated time cannot hold.
  std::int64_t ps() const {
    constexpr std::int64_t most = std::int64_t{1} << 62;
    if (seconds >= most / ps_per_s) return most;
    return seconds * ps_per_s + nanoseconds * ps_per_ns;
  }
  static TimeSpan of(std::int64_t ps) { return {ps / ps_per_s, ps % ps_per_s / ps_per_ns}; }
};

/// After a span from now, without overflow.
inline std::int64_t after(std::int64_t now_ps, const TimeSpan& span) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  return now_ps + std::min(span.ps(), most - std::min(now_ps, most));
}

/// For a call that is retried: its deadline is the one set at the first attempt, from the span at an argument. @returns
/// 0 or an error; without a span there is no deadline
inline std::int64_t set_deadline(const Call& call, std::size_t argument) {
  std::optional<std::int64_t>& deadline = call.thread.deadline_ps;
  if (call[argument] == 0 || deadline) return 0;
  const auto span = call.memory().read<TimeSpan>(call[argument]);
  if (!span) return -EFAULT;
  if (!span->is_valid()) return -EINVAL;
  deadline = after(call.thread.hart.time_ps, *span);
  return 0;
}

/// A moment by the calendar, in simulated time.
inline std::int64_t calendar_ps(TimeSpan moment) {
  moment.seconds = moment.seconds < first_second ? 0 : moment.seconds - first_second;
  return moment.ps();
}

}  // namespace sanvp::riscv::os
