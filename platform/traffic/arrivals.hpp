/// When a node's messages are generated.
#pragma once

#include <cmath>
#include <cstdint>

#include "platform/core/random.hpp"
#include "platform/core/time.hpp"

namespace sanvp::traffic {

/// The law of the intervals between a node's messages; all have the same mean.
enum class Arrivals : std::uint8_t {
  constant,     ///< with a random phase for each node, so that nodes are not in lockstep
  exponential,  ///< a Poisson process
  uniform,      ///< between 0 and twice the mean
};

/// One node's instants. Fractions of a picosecond are carried over, so that the mean rate is exact.
class ArrivalProcess {
 public:
  ArrivalProcess(Arrivals law, double mean_ps, Random random)
      : law_(law), mean_ps_(mean_ps), random_(random), at_ps_(first()) {}

  Time now() const { return Time{static_cast<std::int64_t>(std::floor(at_ps_))}; }
  /// Moves on to the next instant.
  void advance() { at_ps_ += mean_ps_ * (law_ == Arrivals::constant ? 1 : drawn()); }
  /// The process begins anew at `start`, for a node that has waited to be woken.
  void restart(Time start) { at_ps_ = static_cast<double>(start.count()) + first(); }

 private:
  double drawn() { return law_ == Arrivals::exponential ? random_.exponential() : 2 * random_.uniform(); }
  double first() { return mean_ps_ * (law_ == Arrivals::constant ? random_.uniform() : drawn()); }

  Arrivals law_;
  double mean_ps_;
  Random random_;
  double at_ps_;
};

}  // namespace sanvp::traffic
