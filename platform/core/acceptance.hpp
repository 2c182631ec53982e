/// What a job that offers traffic gets through the network over time, and whether the part of it that counts was
/// steady: what `sanvp traffic` says of its own runs.
#pragma once

#include <optional>
#include <vector>

#include "platform/core/steady_state.hpp"
#include "platform/core/time.hpp"

namespace sanvp {

/// Bytes by time, in bounded memory: where they would be too many, pairs of bins are joined.
class Acceptance {
 public:
  struct Report {
    bool has_settled = false;  ///< before the window began
    Time warm_up{0};           ///< from the first message to the window
    Time window{0};
    Estimate MBps{};  ///< in the window; its half width is infinite where batches would be shorter than messages
  };

  /// A message, which was under way from `from` until `until`: its bytes are spread evenly over that time.
  void add(double bytes, Time from, Time until);
  /// What a rank counts. Of several ranks' windows what they have in common is the job's.
  void measure(Time from, Time until);
  /// Nothing where no message was told of, or no window.
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
