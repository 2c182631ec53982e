#include "platform/traffic/series.hpp"

#include <limits>

#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::traffic {
namespace {

constexpr double ps_per_ns = 1e3;
constexpr double ps_per_us = 1e6;

/// Not-a-number, which becomes an empty cell, if nothing was measured.
double mean_of(const Moments& samples, double unit = 1) {
  return samples.count() == 0 ? std::numeric_limits<double>::quiet_NaN() : samples.mean() / unit;
}

}  // namespace

TimeSeries::Interval& TimeSeries::at(Time now) {
  constexpr std::size_t most_intervals = 1 << 20;
  const auto index = static_cast<std::size_t>(now / width_);
  if (index >= most_intervals)
    throw UserError(
        "traffic.series",
        "intervals of " + to_text(width_) + " are more than " + std::to_string(most_intervals) + " by " + to_text(now),
        "choose wider ones");
  if (index >= intervals_.size()) intervals_.resize(index + 1);
  return intervals_[index];
}

void TimeSeries::generated(const Message& message) {
  if (is_kept()) at(message.generated).generated_bytes += message.data_bytes;
}

void TimeSeries::delivered(const net::Packet& packet) {
  if (is_kept()) at(packet.delivered).in_transit_hosts.add(packet.route.in_transit_hosts());
}

void TimeSeries::delivered(const Message& message, Time now, Time ends) {
  if (!is_kept() || message.kind != Message::Kind::data) return;
  Interval& interval = at(now);
  interval.delivered_bytes += message.data_bytes;
  interval.latency_ps.add(static_cast<double>((now - message.generated + ends).count()));
}

Table TimeSeries::table() const {
  Table table({"from_ns", "offered_MBps", "accepted_MBps", "messages", "latency_mean_ns", "itbs_per_packet"});
  const double width_us = static_cast<double>(width_.count()) / ps_per_us;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const Interval& one = intervals_[i];
    table.add({static_cast<double>(i) * static_cast<double>(width_.count()) / ps_per_ns,
               static_cast<double>(one.generated_bytes) / width_us, static_cast<double>(one.delivered_bytes) / width_us,
               static_cast<std::int64_t>(one.latency_ps.count()), mean_of(one.latency_ps, ps_per_ns),
               mean_of(one.in_transit_hosts)});
  }
  return table;
}

}  // namespace sanvp::traffic
