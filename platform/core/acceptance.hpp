/// How many bytes of a job that offers traffic pass the network over time, and whether they had reached a steady state
/// in the measured window: for programs what `sanvp traffic` reports for its own runs.
#pragma once

#include <optional>
#include <vector>

#include "platform/core/steady_state.hpp"
#include "platform/core/time.hpp"

namespace sanvp {

/// Bytes over time, in bounded memory: when there are too many bins, neighbouring bins are merged.
class Acceptance {
 public:
  struct Report {
    bool has_settled = false;  ///< a steady state was reached before the window began
    Time warm_up{0};           ///< from the first message to the start of the window
    Time window{0};
    Estimate MBps{};  ///< in the window; the half width is infinite if batches would be shorter than messages
  };

  /// Adds a message that was under way from `from` until `until`: its bytes are spread evenly over that time.
  void add(double bytes, Time from, Time until);
  /// Sets the window that a rank measures. The job's window is the intersection of the windows of its ranks.
  void measure(Time from, Time until);
  /// Empty if no message or no window was reported.
  std::optional<Report> report() const;

 private:
  double bytes_until(Time at) const;
  std::vector<double> rates_MBps(Time from, Time until, std::size_t count) const;

  Time width_ = 1us;  ///< of a bin
  std::vector<double> bins_;
  Time first_ = never, from_{0}, until_ = never;
  double messages_ = 0, under_way_ps_ = 0;
};

}  // namespace sanvp
