/// Arithmetic of runs under constraints.
#pragma once

#include <algorithm>
#include <utility>

#include "models/net/worm/runs.hpp"

namespace sanvp::net::worm {

/// The time of an unknown event.
constexpr std::int64_t unknown_ps = INT64_MAX;

/// More flits, or later, than anything.
constexpr std::int64_t without_end = std::int64_t{1} << 60;

/// The first flits of max(t(k-1)+T, wanted(k)) that form one run, t(-1)+T being `free_ps`.
inline Run first_run(std::int64_t free_ps, std::int64_t flit_ps, const Run& wanted) {
  if (free_ps <= wanted.ps) return {wanted.ps, std::max(wanted.period, flit_ps), wanted.count};
  if (wanted.period <= flit_ps || wanted.count == 1) return {free_ps, flit_ps, wanted.count};
  // Late at first, at full speed until it has caught up.
  const std::int64_t late = (free_ps - wanted.ps) / (wanted.period - flit_ps) + 1;
  return {free_ps, flit_ps, std::min(late, wanted.count)};
}

/// The first of `count` flits at which `a` is later than `b`; `count` if none is.
inline std::int64_t first_later(const Run& a, const Run& b, std::int64_t count) {
  if (a.ps > b.ps) return 0;
  if (a.at(count - 1) <= b.at(count - 1)) return count;
  return (b.ps - a.ps) / (a.period - b.period) + 1;
}

/// The first flits for which one of two constraints is the later one throughout.
inline Run later_of(const Run& a, const Run& b) {
  const std::int64_t count = std::min(a.count, b.count);
  const Run* high = &a;
  const Run* low = &b;
  if (a.ps < b.ps || (a.ps == b.ps && a.period < b.period)) std::swap(high, low);
  if (high->period >= low->period || high->at(count - 1) >= low->at(count - 1)) return {high->ps, high->period, count};
  const std::int64_t slope = low->period - high->period;
  const std::int64_t crossing = (high->ps - low->ps + slope - 1) / slope;
  return {high->ps, high->period, std::max<std::int64_t>(1, std::min(count, crossing))};
}

/// Whether no flit of `run` is later than the later one of two others, over `run.count` flits.
inline bool is_never_later(const Run& run, const Run& a, const Run& b) {
  const auto fits = [&](std::int64_t k) { return run.at(k) <= std::max(a.at(k), b.at(k)); };
  const std::int64_t last = run.count - 1;
  if (!fits(0) || !fits(last)) return false;
  if ((a.ps >= b.ps) == (a.at(last) >= b.at(last))) return true;
  // Against a third line, the later one of two is earliest where these cross.
  const std::int64_t crossing = (a.ps - b.ps) / (b.period - a.period);
  return fits(crossing) && fits(crossing + 1);
}

/// Flits n, n+1, ... of a VC, if they follow each other steadily.
struct Line {
  std::int64_t n;
  std::int64_t ps;
  std::int64_t period;

  std::int64_t at(std::int64_t m) const { return ps + (m - n) * period; }
};

/// How a constraint on the flits of a line compares with them: a flit cannot be sent before its constraint.
enum class Fit : std::uint8_t { late, early, exact };

inline Fit compare(std::int64_t constraint_ps, std::int64_t line_ps) {
  if (constraint_ps > line_ps) return Fit::late;
  return constraint_ps == line_ps ? Fit::exact : Fit::early;
}

/// Constraints on flits from m on, each of which may be later than its flit by `slack`.
inline Fit compare(const Run& known, std::int64_t m, std::int64_t slack, const Line& line) {
  if (known.ps > line.at(m) + slack || known.last() > line.at(m + known.count - 1) + slack) return Fit::late;
  const bool is_exact = known.ps == line.at(m) + slack && (known.count == 1 || known.period == line.period);
  return is_exact ? Fit::exact : Fit::early;
}

/// The result of two constraints on the same line.
inline Fit both(Fit a, Fit b) {
  if (a == Fit::late || b == Fit::late) return Fit::late;
  return a == Fit::exact && b == Fit::exact ? Fit::exact : Fit::early;
}

}  // namespace sanvp::net::worm
