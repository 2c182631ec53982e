/// A run over time: generated and delivered traffic by intervals of equal width, for loads that change.
#pragma once

#include <vector>

#include "models/net/packet.hpp"
#include "platform/core/results.hpp"
#include "platform/core/statistics.hpp"
#include "platform/core/time.hpp"
#include "platform/traffic/ledger.hpp"

namespace sanvp::traffic {

class TimeSeries {
 public:
  /// @param width  of an interval; 0: no series
  explicit TimeSeries(Time width) : width_(width) {}

  bool is_kept() const { return width_ > Time{0}; }
  /// A message that a node has generated.
  void generated(const Message& message);
  /// A packet that has arrived.
  void delivered(const net::Packet& packet);
  /// A finished message. @param ends  the latency that the NICs at both ends add
  void delivered(const Message& message, Time now, Time ends);

  /// series.csv: a row per interval from time 0 on; messages count where they are generated or delivered.
  Table table() const;

 private:
  struct Interval {
    std::int64_t generated_bytes = 0;
    std::int64_t delivered_bytes = 0;
    Moments latency_ps;        ///< of messages, from generation
    Moments in_transit_hosts;  ///< of packets
  };
  Interval& at(Time now);

  Time width_;
  std::vector<Interval> intervals_;
};

}  // namespace sanvp::traffic
