#include "platform/core/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

using std::chrono_literals::operator""s;

/// Four updates per second look smooth; a log file needs far fewer lines.
constexpr std::chrono::nanoseconds terminal_period = 250ms;
constexpr std::chrono::nanoseconds log_period = 5s;
constexpr auto wipe_line = "\r\033[K";

std::chrono::nanoseconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

/// "1:05", "2:00:00"
std::string hours_minutes_seconds(double seconds) {
  constexpr double too_long = 1e7;  // four months: longer than any useful run, and it fits an integer
  const auto whole = static_cast<std::int64_t>(std::min(seconds, too_long));
  const auto hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest) : fmt::format("{}:{:02}", minutes, rest);
}

/// Simulated time in a second: "12 us/s", "2.47 ms/s".
std::string per_second(double ps) {
  constexpr double next_unit = 1000, rounds_up = 999.5;  // to three digits
  double value = ps / 1e6;
  for (const char* unit : {"us", "ms"}) {
    if (value < rounds_up) return fmt::format("{:.3g} {}/s", value, unit);
    value /= next_unit;
  }
  return fmt::format("{:.3g} s/s", value);
}

}  // namespace

Progress::Mode Progress::parse_mode(const std::string& text, const std::string& place) {
  if (text == "auto") return Mode::automatic;
  if (text == "on") return Mode::on;
  if (text == "off") return Mode::off;
  throw UserError(place, in_quotes(text) + " is not one of auto, on, off");
}

Progress::Progress(Mode mode) : Progress(mode, std::cerr, ::isatty(STDERR_FILENO) == 1, steady_now) {}

Progress::Progress(Mode mode, std::ostream& out, bool is_terminal, WallClock clock)
    : is_shown_(mode == Mode::on || (mode == Mode::automatic && is_terminal)),
      is_terminal_(is_terminal),
      out_(&out),
      clock_(std::move(clock)),
      started_(clock_()),
      next_(started_ + (is_terminal ? terminal_period : log_period)),
      latest_wall_(started_) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (std::exchange(line_open_, false)) *out_ << wipe_line << std::flush;
}

void Progress::update(Time now, std::uint64_t packets, std::optional<double> share) {
  if (is_due()) show(fmt::format("{:.3f} us simulated, {} packets", in_ns(now) / 1e3, packets), share);
}

void Progress::update_towards(Time now, std::uint64_t packets, const std::optional<Goal>& goal) {
  if (!is_due()) return;
  std::string line = fmt::format("{:.3f} us simulated, {} packets", in_ns(now) / 1e3, packets);
  if (is_terminal_) {
    const double ps_per_second = rate(now);
    line += ", " + per_second(ps_per_second);
    if (goal && goal->at > now && ps_per_second > 0) {
      const double percent = 100 * (in_ns(now) / in_ns(goal->at));
      const double left = static_cast<double>((goal->at - now).count()) / ps_per_second;
      line += fmt::format(", {:.0f} %{}, {}{} left", percent, goal->is_bound ? " of --until" : "",
                          goal->is_bound ? "at most " : "", hours_minutes_seconds(left));
    }
  }
  show(std::move(line), {});
}

/// Phases of a program differ in speed, so it follows the last few seconds.
double Progress::rate(Time now) {
  constexpr double weight = 0.1;  // of the newest of four values per second
  const auto wall = clock_();
  const double seconds = std::chrono::duration<double>(wall - std::exchange(latest_wall_, wall)).count();
  const double newest = static_cast<double>((now - std::exchange(latest_, now)).count()) / seconds;
  rate_ = rate_ > 0 ? (1 - weight) * rate_ + weight * newest : newest;
  return rate_;
}

void Progress::update(std::int64_t done, const char* what, std::optional<double> share) {
  if (is_due()) show(fmt::format("{} {}", done, what), share);
}

void Progress::announce(const char* what) {
  if (is_shown_ && is_terminal_) show(what, {});
}

bool Progress::is_due() { return is_shown_ && clock_() >= next_; }

void Progress::show(std::string line, std::optional<double> share) {
  const auto wall = clock_();
  next_ = wall + (is_terminal_ ? terminal_period : log_period);
  if (share && *share > 0) {
    const double done = std::min(*share, 1.0);
    const double elapsed = std::chrono::duration<double>(wall - started_).count();
    line += fmt::format(", {:.0f} %, {} left", done * 100, hours_minutes_seconds(elapsed * (1 - done) / done));
  }
  *out_ << (is_terminal_ ? wipe_line : "") << line << (is_terminal_ ? "" : "\n") << std::flush;
  line_open_ = is_terminal_;
}

}  // namespace sanvp
