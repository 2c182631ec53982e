#include "platform/core/acceptance.hpp"

#include <algorithm>
#include <cmath>

namespace sanvp {
namespace {

constexpr std::size_t most_bins = 1 << 13;
/// Number of rates from the first message to the end of the window, for the trend; MSER needs at least ten.
constexpr std::size_t trend_values = 100;
/// The number of batches that `batch_means` makes.
constexpr double most_batches = 20;

double in_ps(Time time) { return static_cast<double>(time.count()); }

double share(Time from, Time until, Time bin, Time width) {
  const Time begin = std::max(from, bin), end = std::min(until, bin + width);
  return end > begin ? in_ps(end - begin) : 0;
}

}  // namespace

void Acceptance::add(double bytes, Time from, Time until) {
  if (until <= Time{0} || until == never) return;  // a program may report wrong times
  from = std::clamp(from, Time{0}, until - 1_ps);
  first_ = std::min(first_, from);
  ++messages_;
  under_way_ps_ += in_ps(until - from);
  while (static_cast<std::size_t>(until / width_) >= most_bins) {
    for (std::size_t i = 0; i < bins_.size(); i += 2)
      bins_[i / 2] = bins_[i] + (i + 1 < bins_.size() ? bins_[i + 1] : 0);
    bins_.resize((bins_.size() + 1) / 2);
    width_ *= 2;
  }
  const auto last = static_cast<std::size_t>((until - 1_ps) / width_);
  if (bins_.size() <= last) bins_.resize(last + 1);
  for (auto i = static_cast<std::size_t>(from / width_); i <= last; ++i)
    bins_[i] += bytes * share(from, until, static_cast<std::int64_t>(i) * width_, width_) / in_ps(until - from);
}

void Acceptance::measure(Time from, Time until) {
  from_ = std::max(from_, from);
  until_ = std::min(until_, until);
}

/// Rates in equal parts of that time.
std::vector<double> Acceptance::rates_MBps(Time from, Time until, std::size_t count) const {
  std::vector<double> rates;
  const double part_ps = in_ps(until - from) / static_cast<double>(count);
  double before = bytes_until(from);
  for (std::size_t i = 1; i <= count; ++i) {
    const double now = bytes_until(from + Time{static_cast<std::int64_t>(part_ps * static_cast<double>(i))});
    rates.push_back((now - before) / part_ps * 1e6);
    before = now;
  }
  return rates;
}

double Acceptance::bytes_until(Time at) const {
  const auto whole = std::min(static_cast<std::size_t>(at / width_), bins_.size());
  double bytes = 0;
  for (std::size_t i = 0; i < whole; ++i) bytes += bins_[i];
  return whole < bins_.size() ? bytes + bins_[whole] * in_ps(at % width_) / in_ps(width_) : bytes;
}

std::optional<Acceptance::Report> Acceptance::report() const {
  if (messages_ == 0 || until_ == never || until_ <= from_) return {};
  Report report{.warm_up = std::max(from_ - first_, Time{0}), .window = until_ - from_};
  const Time begin = std::min(first_, from_);
  const std::vector<double> all = rates_MBps(begin, until_, trend_values);
  if (const auto cut = warm_up_length(std::span(all)))
    report.has_settled = in_ps(until_ - begin) * static_cast<double>(*cut) / trend_values <= in_ps(from_ - begin);
  const double batches = std::clamp(std::floor(in_ps(report.window) * messages_ / under_way_ps_), 1.0, most_batches);
  const std::vector<double> rates = rates_MBps(from_, until_, static_cast<std::size_t>(batches));
  report.MBps = batch_means(rates);
  return report;
}

}  // namespace sanvp
