/// Progress of long work on one line of standard error: of a run simulated time and packets, percent and the time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "platform/core/time.hpp"

namespace sanvp {

class Progress {
 public:
  /// automatic: only if standard error is a terminal.
  enum class Mode { automatic, on, off };
  using WallClock = std::function<std::chrono::nanoseconds()>;

  /// "auto", "on" or "off"; throws UserError for anything else.
  static Mode parse_mode(const std::string& text, const std::string& place);

  explicit Progress(Mode mode);
  /// For tests and other outputs. On a terminal the line is overwritten; elsewhere each update is a new line.
  Progress(Mode mode, std::ostream& out, bool is_terminal, WallClock clock);
  /// Erases the line, so that a result or an error message starts on an empty line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap enough to call every few hundred events; updates the line only a few times per second.
  /// @param share  the share of the work that is done, 0 to 1; empty if unknown
  void update(Time now, std::uint64_t packets, std::optional<double> share = {});
  /// The instant to which a run goes.
  struct Goal {
    Time at;
    bool is_bound;  ///< it may end before: "at most 1:30 left"
  };
  /// The same for a run whose goal, if it is known, is an instant. A terminal also gets the simulated time per second,
  /// from which the time left is estimated.
  void update_towards(Time now, std::uint64_t packets, const std::optional<Goal>& goal);
  /// The same for work counted in other units: "1234 pairs checked".
  void update(std::int64_t done, const char* what, std::optional<double> share = {});
  /// Erases the line, so that other output begins on an empty one; the next update shows it again.
  void clear();
  /// Shows a step at once, before there is a count; only on a terminal.
  void announce(const char* what);

 private:
  bool is_due();
  double rate(Time now);
  void show(std::string line, std::optional<double> share);

  bool is_shown_;
  bool is_terminal_;
  std::ostream* out_;
  WallClock clock_;
  std::chrono::nanoseconds started_;
  std::chrono::nanoseconds next_;
  bool line_open_ = false;
  Time latest_{0};  ///< simulated, at the last call of rate()
  std::chrono::nanoseconds latest_wall_;
  double rate_ = 0;  ///< simulated ps per second
};

}  // namespace sanvp
