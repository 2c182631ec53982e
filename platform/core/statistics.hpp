/// Statistics of samples: mean and variance, distributions with percentiles, and means over time. All use IEEE basic
/// operations in the order of the samples, so that equal runs give equal bits. For the statistics of a whole run
/// (warm-up, confidence) see steady_state.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/core/time.hpp"

namespace sanvp {

/// Running mean and variance (Welford 1962), stable for any mean; merging is by Chan et al. (1979).
class Moments {
 public:
  void add(double sample);
  void merge(const Moments& other);

  std::uint64_t count() const { return count_; }
  /// 0 if there is no sample; check count() first.
  double mean() const { return mean_; }
  /// The unbiased estimate (divides by count - 1); 0 if there are fewer than two samples.
  double variance() const;
  double standard_deviation() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double sum_of_squares_ = 0;  ///< of the deviations from the mean
};

/// A distribution of whole, non-negative samples (picoseconds, bytes, flits) in bounded memory. Percentiles are exact
/// up to exact_samples samples. Beyond, samples are counted in bins no wider than 1/128 of their value (the idea of
/// HdrHistogram), so that a percentile differs by less than 0.8 %. Count, mean, least and most are always exact.
class Distribution {
 public:
  static constexpr std::size_t exact_samples = 1 << 16;

  struct Bin {
    std::int64_t from;  ///< inclusive
    std::int64_t to;    ///< inclusive
    std::uint64_t count;
  };

  /// Throws std::invalid_argument if `sample` is negative.
  void add(std::int64_t sample);
  void merge(const Distribution& other);

  std::uint64_t count() const { return moments_.count(); }
  const Moments& moments() const { return moments_; }
  double mean() const { return moments_.mean(); }
  /// 0 if there is no sample, as are percentiles; check count() first.
  std::int64_t least() const { return count() == 0 ? 0 : least_; }
  std::int64_t most() const { return most_; }
  bool is_exact() const { return bins_.empty(); }

  /// Nearest rank: the least sample that at least `percent` % of all samples do not exceed.
  /// @param percent  0 (the least) to 100 (the most); throws std::invalid_argument outside
  std::int64_t percentile(double percent) const;
  /// The non-empty bins, in ascending order, for `*_histogram.csv`.
  std::vector<Bin> histogram() const;

 private:
  void count_in_bin(std::int64_t sample, std::uint64_t times);
  void drop_samples();

  Moments moments_;
  std::int64_t least_ = INT64_MAX;
  std::int64_t most_ = 0;
  std::vector<std::int64_t> samples_;  ///< all samples, up to exact_samples
  std::vector<std::uint64_t> bins_;    ///< counts, beyond exact_samples
};

/// The mean over time of a level that changes in steps: the length of a queue, the use of a link.
class TimeWeightedMean {
 public:
  explicit TimeWeightedMean(Time start = Time{0}) : start_(start), since_(start) {}

  /// From `now` on the level is `level`. Throws std::invalid_argument if `now` is before the last change.
  void set(Time now, std::int64_t level);
  /// Restarts the measurement at `now` with the present level.
  void restart(Time now);

  std::int64_t level() const { return level_; }
  /// Since the start; includes levels of zero duration.
  std::int64_t most() const { return most_; }
  /// From the start to `now`; the present level if no time has passed.
  double mean(Time now) const;

 private:
  double area_until(Time now) const;

  Time start_;
  Time since_;  ///< start of the present level
  std::int64_t level_ = 0;
  std::int64_t most_ = 0;
  double area_ = 0;  ///< level times picoseconds, up to `since_`
};

}  // namespace sanvp
