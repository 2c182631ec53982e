#include "platform/core/steady_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "platform/core/statistics.hpp"

namespace sanvp {
namespace {

/// With fewer groups no trend can be recognised.
constexpr std::size_t fewest_groups = 10;

constexpr std::size_t most_batches = 20;
/// The 0.975 quantile of Student's t for 1 to most_batches - 1 degrees of freedom.
constexpr std::array<double, most_batches - 1> student = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                                          2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                                          2.131,  2.120, 2.110, 2.101, 2.093};

}  // namespace

void Series::add(double sample) {
  open_sum_ += sample;
  if (++open_count_ < group_size_) return;
  groups_.push_back(open_sum_ / static_cast<double>(group_size_));
  open_sum_ = 0;
  open_count_ = 0;
  if (groups_.size() < most_groups) return;
  for (std::size_t pair = 0; pair < most_groups / 2; ++pair)
    groups_[pair] = (groups_[2 * pair] + groups_[2 * pair + 1]) / 2;
  groups_.resize(most_groups / 2);
  group_size_ *= 2;
}

std::optional<std::size_t> warm_up_length(std::span<const double> means) {
  if (means.size() < fewest_groups) return {};
  // From the end to the front, so that one pass gives the standard error of every remainder.
  Moments remainder;
  double least_error = std::numeric_limits<double>::infinity();
  std::size_t best_cut = means.size();
  for (std::size_t cut = means.size(); cut-- > 0;) {
    remainder.add(means[cut]);
    // The last few values may agree by chance; the authors of the criterion also exclude them.
    if (remainder.count() < fewest_groups / 2) continue;
    const double error = remainder.variance() / static_cast<double>(remainder.count());
    if (error > least_error) continue;
    least_error = error;
    best_cut = cut;
  }
  if (best_cut > means.size() / 2) return {};
  return best_cut;
}

std::optional<std::size_t> warm_up_length(const Series& series) {
  const auto groups = warm_up_length(std::span(series.groups()));
  if (!groups) return {};
  return *groups * series.group_size();
}

Estimate batch_means(std::span<const double> values) {
  if (values.empty()) return {0, std::numeric_limits<double>::infinity()};
  const std::size_t batches = std::min(most_batches, values.size());
  const std::size_t batch_size = values.size() / batches;
  values = values.last(batches * batch_size);
  Moments means;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    Moments inside;
    for (const double value : values.subspan(batch * batch_size, batch_size)) inside.add(value);
    means.add(inside.mean());
  }
  if (batches < 2) return {means.mean(), std::numeric_limits<double>::infinity()};
  const double standard_error = means.standard_deviation() / std::sqrt(static_cast<double>(batches));
  return {means.mean(), student[batches - 2] * standard_error};
}

}  // namespace sanvp
