/// When a node's messages are generated.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "platform/core/random.hpp"
#include "platform/core/time.hpp"
#include "platform/traffic/load.hpp"

namespace sanvp::traffic {

/// The distribution of the intervals between a node's messages; all have the same mean.
enum class Arrivals : std::uint8_t {
  constant,     ///< with a random phase for each node, so that nodes do not send in lockstep
  exponential,  ///< a Poisson process
  uniform,      ///< between 0 and twice the mean
  on_off,       ///< bursts: a Markov process of two states
};

/// Between a node's messages, in the mean: the simulator's unit of time. At shorter intervals time would hardly advance
/// while messages without bound are generated.
constexpr double least_interval_ps = 1;

/// The bursts of Arrivals::on_off. Within one intervals are exponential, with `duty` times the mean; the rest of the
/// time is between bursts, whose lengths are geometric.
struct Bursts {
  double messages = 10;  ///< mean number in a burst
  double duty = 0.1;
};

/// The instants at which one node generates messages. Fractions of a picosecond are kept, so that the mean rate is
/// exact.
class ArrivalProcess {
 public:
  /// @param steps  in order of time; they outlive the process. When the load changes, the rest of the current interval
  ///               is stretched or shortened, so that each distribution keeps its form
  ArrivalProcess(Arrivals law, double mean_ps, Random random, std::span<const LoadStep> steps = {},
                 const Bursts& bursts = {})
      : law_(law), bursts_(bursts), mean_ps_(mean_ps), random_(random), steps_(steps) {
    pass(first());
  }

  /// `never` if it is later than the range of Time.
  Time now() const {
    constexpr double end_ps = 9.2e18;
    return at_ps_ < end_ps ? Time{static_cast<std::int64_t>(std::floor(at_ps_))} : never;
  }
  /// Advances to the next instant.
  void advance() { pass(mean_ps_ * (law_ == Arrivals::constant ? 1 : drawn())); }
  /// From `now` on the load is `factor` times the first one, and no further step counts. The rest of the current
  /// interval is stretched or shortened. @param steps  all that have been, and this one: for a process that is behind
  void change(Time now, double factor, std::span<const LoadStep> steps) {
    const auto now_ps = static_cast<double>(now.count());
    if (at_ps_ < now_ps) {
      while (!steps.empty() && static_cast<double>(steps.front().from.count()) <= at_ps_) steps = steps.subspan(1);
      steps_ = steps;
      return;
    }
    at_ps_ = now_ps + (at_ps_ - now_ps) * factor_ / factor;
    factor_ = factor;
    steps_ = {};
  }
  void reseed(Random random) { random_ = random; }
  /// Restarts the process at `start`, for a node that was waiting for a wake().
  void restart(Time start) {
    at_ps_ = static_cast<double>(start.count());
    while (!steps_.empty() && steps_.front().from <= start) take_step();
    pass(first());
  }

 private:
  double drawn() {
    if (law_ == Arrivals::on_off) {
      const double interval = bursts_.duty * random_.exponential();
      const bool ends = random_.uniform() * bursts_.messages < 1;
      return ends ? interval + (1 - bursts_.duty) * bursts_.messages * random_.exponential() : interval;
    }
    return law_ == Arrivals::exponential ? random_.exponential() : 2 * random_.uniform();
  }
  double first() { return mean_ps_ * (law_ == Arrivals::constant ? random_.uniform() : drawn()); }

  /// Advances by an interval, given for a factor of 1.
  void pass(double interval_ps) {
    while (!steps_.empty()) {
      const double left_ps = static_cast<double>(steps_.front().from.count()) - at_ps_;
      if (interval_ps / factor_ < left_ps) break;
      interval_ps -= left_ps * factor_;
      at_ps_ += left_ps;
      take_step();
    }
    at_ps_ += interval_ps / factor_;
  }
  void take_step() {
    factor_ = steps_.front().factor;
    steps_ = steps_.subspan(1);
  }

  Arrivals law_;
  Bursts bursts_;
  double mean_ps_;
  Random random_;
  std::span<const LoadStep> steps_;  ///< steps that are still to come
  double factor_ = 1;
  double at_ps_ = 0;
};

}  // namespace sanvp::traffic
