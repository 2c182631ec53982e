#include "platform/core/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace sanvp {
namespace {

/// Base-2 logarithm of the bins per octave: the width of a bin is 2^-7 of its value, below the 1 % that results
/// promise.
constexpr int bin_bits = 7;
constexpr std::int64_t bins_per_octave = std::int64_t{1} << bin_bits;

/// Samples below 2 * bins_per_octave have a bin each; above, a bin is an octave and the next bin_bits bits.
std::size_t bin_of(std::int64_t sample) {
  const int octave = std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sample))) - 1 - bin_bits);
  return static_cast<std::size_t>(octave * bins_per_octave + (sample >> octave));
}

std::int64_t bin_start(std::size_t bin) {
  const auto index = static_cast<std::int64_t>(bin);
  const std::int64_t octave = std::max<std::int64_t>(0, index / bins_per_octave - 1);
  return (index - octave * bins_per_octave) << octave;
}

/// Computed from the bin's width, because the start of the bin after the last one does not fit.
std::int64_t bin_end(std::size_t bin) {
  const auto octave = std::max<std::int64_t>(0, static_cast<std::int64_t>(bin) / bins_per_octave - 1);
  return bin_start(bin) + ((std::int64_t{1} << octave) - 1);
}

}  // namespace

void Moments::add(double sample) {
  ++count_;
  const double deviation = sample - mean_;
  mean_ += deviation / static_cast<double>(count_);
  sum_of_squares_ += deviation * (sample - mean_);
}

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  const auto mine = static_cast<double>(count_), others = static_cast<double>(other.count_), all = mine + others;
  const double deviation = other.mean_ - mean_;
  mean_ += deviation * (others / all);
  sum_of_squares_ += other.sum_of_squares_ + deviation * deviation * (mine * others / all);
  count_ += other.count_;
}

double Moments::variance() const { return count_ < 2 ? 0 : sum_of_squares_ / static_cast<double>(count_ - 1); }

double Moments::standard_deviation() const { return std::sqrt(variance()); }

void Distribution::add(std::int64_t sample) {
  if (sample < 0) throw std::invalid_argument("a Distribution takes no negative sample");
  moments_.add(static_cast<double>(sample));
  least_ = std::min(least_, sample);
  most_ = std::max(most_, sample);
  if (!is_exact()) return count_in_bin(sample, 1);
  samples_.push_back(sample);
  if (samples_.size() > exact_samples) drop_samples();
}

void Distribution::merge(const Distribution& other) {
  moments_.merge(other.moments_);
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  if (is_exact() && other.is_exact()) {
    samples_.reserve(samples_.size() + other.samples_.size());  // `other` may be this object
    std::copy_n(other.samples_.begin(), other.samples_.size(), std::back_inserter(samples_));
    if (samples_.size() > exact_samples) drop_samples();
    return;
  }
  if (is_exact()) drop_samples();
  for (const auto sample : other.samples_) count_in_bin(sample, 1);
  for (std::size_t bin = 0; bin < other.bins_.size(); ++bin)
    if (other.bins_[bin] != 0) count_in_bin(bin_start(bin), other.bins_[bin]);
}

void Distribution::count_in_bin(std::int64_t sample, std::uint64_t times) {
  const std::size_t bin = bin_of(sample);
  if (bin >= bins_.size()) bins_.resize(bin + 1);
  bins_[bin] += times;
}

void Distribution::drop_samples() {
  bins_.resize(bin_of(most_) + 1);
  for (const auto sample : samples_) count_in_bin(sample, 1);
  samples_ = {};
}

std::int64_t Distribution::percentile(double percent) const {
  if (!(percent >= 0 && percent <= 100)) throw std::invalid_argument("a percentile lies in 0..100");
  if (count() == 0) return 0;
  const double share = percent * static_cast<double>(count()) / 100;
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(share)), 1, count());
  if (is_exact()) {
    auto sorted = samples_;
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
  std::uint64_t below = 0;
  std::size_t bin = 0;
  while ((below += bins_[bin]) < rank) ++bin;
  const std::int64_t middle = bin_start(bin) + (bin_end(bin) - bin_start(bin)) / 2;
  return rank == 1 ? least_ : rank == count() ? most_ : std::clamp(middle, least_, most_);
}

std::vector<Distribution::Bin> Distribution::histogram() const {
  Distribution binned;
  if (is_exact() && count() != 0)
    for (const auto sample : samples_) binned.count_in_bin(sample, 1);
  const auto& counts = is_exact() ? binned.bins_ : bins_;
  std::vector<Bin> histogram;
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    if (counts[bin] != 0) histogram.push_back({bin_start(bin), bin_end(bin), counts[bin]});
  return histogram;
}

double TimeWeightedMean::area_until(Time now) const {
  return area_ + static_cast<double>(level_) * static_cast<double>((now - since_).count());
}

void TimeWeightedMean::set(Time now, std::int64_t level) {
  if (now < since_) throw std::invalid_argument("a level changes in the past");
  area_ = area_until(now);
  since_ = now;
  level_ = level;
  most_ = std::max(most_, level);
}

void TimeWeightedMean::restart(Time now) {
  set(now, level_);
  start_ = now;
  area_ = 0;
  most_ = level_;
}

double TimeWeightedMean::mean(Time now) const {
  if (now <= start_) return static_cast<double>(level_);
  return area_until(now) / static_cast<double>((now - start_).count());
}

}  // namespace sanvp
