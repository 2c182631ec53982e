/// Seeded random numbers that are the same on every machine: integer arithmetic and IEEE basic operations only, without
/// the implementation-defined distributions of the standard library.
#pragma once

#include <cstdint>
#include <string_view>

namespace sanvp {

/// xoshiro256** (Blackman and Vigna, 2018). One generator per consumer, so that a new consumer does not change the
/// numbers of others.
class Random {
 public:
  /// @param seed      the run's seed (`--seed`)
  /// @param consumer  the consumer's hierarchical name; streams of different names are independent
  Random(std::uint64_t seed, std::string_view consumer);

  std::uint64_t next();
  /// Uniform in 0..bound-1, without bias. `bound` > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1).
  double uniform();
  /// Exponential with mean 1, by von Neumann's comparison method: without a logarithm, so the bits are the same
  /// everywhere.
  double exponential();

 private:
  std::uint64_t state_[4];
};

}  // namespace sanvp
