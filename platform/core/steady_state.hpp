/// Steady-state analysis of a run's series of latencies: the end of the warm-up, and the confidence interval of the
/// mean.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sanvp {

/// A long series of samples in bounded memory: means of groups of consecutive samples. A group has five samples (the 5
/// of MSER-5); at most_groups groups, pairs are merged and the group size doubles.
class Series {
 public:
  static constexpr std::size_t first_group_size = 5;
  static constexpr std::size_t most_groups = 1 << 16;

  void add(double sample);
  /// Means of the complete groups, in order.
  const std::vector<double>& groups() const { return groups_; }
  std::size_t group_size() const { return group_size_; }

 private:
  std::vector<double> groups_;
  std::size_t group_size_ = first_group_size;
  double open_sum_ = 0;  ///< of the incomplete group
  std::size_t open_count_ = 0;
};

/// The number of values to drop from the front of `means`, by MSER (White 1997; over group means it is MSER-5: White,
/// Cobb and Spratt 2000): the cut after which the remaining mean has the least standard error. Empty if the best cut is
/// in the second half (there still is a trend, as in a saturated network) or if there are fewer than ten values.
std::optional<std::size_t> warm_up_length(std::span<const double> means);
/// The same in samples of the series.
std::optional<std::size_t> warm_up_length(const Series& series);

/// A mean and the half width of its 95 % confidence interval.
struct Estimate {
  double mean = 0;
  double half_width = 0;  ///< infinite if there are fewer than two values
};

/// Non-overlapping batch means with Student's t. 20 batches are in the range of 10 to 30 that Schmeiser (1982)
/// recommends. Correlation between samples does no harm if it decays within a batch. Values that do not fill a batch
/// are dropped from the front.
Estimate batch_means(std::span<const double> values);

}  // namespace sanvp
