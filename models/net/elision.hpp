/// Events that need not exist. Much of what an event would do can be done at once by its cause, or accounted for later,
/// with the same result:
///
/// * *Inline dispatch*: an event that would be the very next one is counted, and its cause continues at once
///   (EventQueue::dispatch_inline).
/// * *Fast-forward*: if nothing else happens before an instant, time advances to it in place
///   (EventQueue::fast_forward_to).
/// * *Quiet releases*: a virtual channel that no header waits for becomes free without an event (network_releases.cpp).
///
/// All of it can be switched off, for tests: results are the same, only the number of events differs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sanvp::net {

enum class Elision : bool { off, on };

/// On, unless the environment variable SANVP_ELISION is `off`.
Elision elision_from_environment();

/// How far inline dispatch and fast-forward may go.
class EventElision {
 public:
  explicit EventElision(Elision elision) : on_(elision == Elision::on) {}

  bool is_on() const { return on_; }
  /// Something outside the event queue acts at `ps`, or later: fast-forward stops before it. Until a horizon is set
  /// there is no fast-forward at all.
  void set_horizon(std::int64_t ps) {
    horizon_ps_ = ps;
    steps_ = 0;
  }
  /// Something outside acts at `ps`, and perhaps earlier.
  void lower_horizon(std::int64_t ps) { horizon_ps_ = std::min(horizon_ps_, ps); }
  std::int64_t horizon_ps() const { return horizon_ps_; }

  /// Whether time may advance to `ps` in place.
  bool permits(std::int64_t ps) const { return ps < horizon_ps_ && steps_ < most_steps && on_; }
  void count_step() { ++steps_; }
  void renew_steps() { steps_ = 0; }

 private:
  static constexpr int most_steps = 16;  // in a row: then the timeline looks for Ctrl-C and progress

  bool on_;
  int steps_ = 0;  // since the horizon was set
  std::int64_t horizon_ps_ = 0;
};

}  // namespace sanvp::net
