/// How far long work is, on one line of standard error: of a run simulated time and packets, percent and the time left.
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
  /// automatic: only where standard error is a terminal.
  enum class Mode { automatic, on, off };
  using WallClock = std::function<std::chrono::nanoseconds()>;

  /// "auto", "on" or "off"; throws UserError for anything else.
  static Mode parse_mode(const std::string& text, const std::string& place);

  explicit Progress(Mode mode);
  /// For tests and other places to show it. On a terminal the line is overwritten, elsewhere lines follow each other.
  Progress(Mode mode, std::ostream& out, bool is_terminal, WallClock clock);
  /// Wipes the line, so that a result or an error message starts on a clean one.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap enough to be called every few hundred events; shows something a few times per second only.
  /// @param share  of the work that is done, 0 to 1; nothing where that is unknown
  void update(Time now, std::uint64_t packets, std::optional<double> share = {});
  /// The same for work that is counted in other things: "1234 pairs checked".
  void update(std::int64_t done, const char* what, std::optional<double> share = {});
  /// On a terminal, at once: what is being done before anything can be counted.
  void announce(const char* what);

 private:
  bool is_due();
  void show(std::string line, std::optional<double> share);

  bool is_shown_;
  bool is_terminal_;
  std::ostream* out_;
  WallClock clock_;
  std::chrono::nanoseconds started_;
  std::chrono::nanoseconds next_;
  bool line_open_ = false;
};

}  // namespace sanvp
