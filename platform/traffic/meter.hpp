/// Measures the traffic from the opening of the measuring window on. README.md defines each quantity.
#pragma once

#include <cstdint>
#include <vector>

#include "models/net/packet.hpp"
#include "platform/core/statistics.hpp"
#include "platform/core/steady_state.hpp"
#include "platform/core/time.hpp"
#include "platform/traffic/ledger.hpp"
#include "platform/traffic/series.hpp"

namespace sanvp::traffic {

/// Bytes of one node within the window.
struct NodeTotals {
  std::int64_t offered_bytes = 0;  ///< payload of the messages that it generated
  std::int64_t offered_wire_bytes = 0;
  std::int64_t accepted_bytes = 0;  ///< payload of its messages that was delivered to any node
  std::int64_t accepted_wire_bytes = 0;
  std::int64_t lost_bytes =
      0;  ///< payload of its messages that was lost, including the data that a lost request asked for
  std::int64_t received_bytes = 0;  ///< payload delivered to it
  TimeWeightedMean source_queue;    ///< messages that the NIC has not completely taken
  double source_queue_mean = 0;
  std::int64_t source_queue_most = 0;
};

/// Messages of one class, measured.
struct ClassTotals {
  std::int64_t offered_bytes = 0;  ///< payload that was generated in the window
  std::int64_t accepted_bytes = 0;
  Distribution latency_ps;
};

class Meter {
 public:
  /// @param ends    the latency that NICs add to every message, at both ends together
  /// @param series   width of the intervals of series(); 0: no series
  /// @param classes  of messages that are measured apart; 0: none
  Meter(int nodes, Time ends, Time series, std::size_t classes = 0)
      : nodes_(nodes), classes_(classes), ends_(ends), series_(series) {}

  void open(Time now);
  void close(Time now);

  // Called by the traffic nodes.
  /// A node has generated a message. @param packets, wire_bytes  of the message and of the data that it requests
  void generated(Message& message, std::int64_t packets, std::int64_t wire_bytes);
  void queue_length(int node, Time now, std::int64_t messages) { nodes_[node].source_queue.set(now, messages); }
  void packet_sent(PacketRecord& record, const Message& message, int in_transit_hosts);
  void packet_delivered(const PacketRecord& record, const Message& message, const net::Packet& packet);
  void packet_over(const PacketRecord& record);
  void packet_lost(const PacketRecord& record, const Message& message);
  /// All packets of a message have arrived or are lost. An arrived request continues as the data that it asks for.
  void message_over(const Message& message, Time now);

  // Results.
  bool is_open() const { return opened_ != never && closed_ == never; }
  Time opened() const { return opened_; }
  Time closed() const { return closed_; }
  Time window() const { return closed_ - opened_; }
  const std::vector<NodeTotals>& nodes() const { return nodes_; }
  const std::vector<ClassTotals>& classes() const { return classes_; }
  std::int64_t packets_generated() const { return packets_generated_; }  ///< in the window
  std::int64_t messages_measured() const { return messages_measured_; }
  std::int64_t messages_outstanding() const { return messages_outstanding_; }  ///< of the measured ones
  std::int64_t packets_delivered() const { return static_cast<std::int64_t>(network_latency_.count()); }  ///< measured
  std::int64_t packets_lost() const { return packets_lost_; }
  std::int64_t packets_corrupt() const { return packets_corrupt_; }
  const Distribution& latency_ps() const { return latency_; }                  ///< of messages, from generation
  const Distribution& network_latency_ps() const { return network_latency_; }  ///< of packets, from injection
  const Distribution& blocked_ps() const { return blocked_; }                  ///< of packets
  const Distribution& head_blocked_ps() const { return head_blocked_; }
  const Moments& in_transit_hosts() const { return in_transit_hosts_; }  ///< of packets
  Estimate latency_estimate_ps() const { return batch_means(latencies_); }
  /// Latencies of packets from generation, since the start and independent of the window: for detecting the warm-up.
  const Series& warm_up() const { return warm_up_; }
  /// Generated and delivered traffic over time, independent of the window.
  const TimeSeries& series() const { return series_; }
  std::int64_t packets_so_far() const { return packets_so_far_; }                      ///< delivered
  std::int64_t packets_generated_so_far() const { return packets_generated_so_far_; }  ///< independent of the window

 private:
  ClassTotals* class_of(const Message& message) {
    return classes_.empty() ? nullptr : &classes_[static_cast<std::size_t>(message.flow_class)];
  }

  std::vector<NodeTotals> nodes_;
  std::vector<ClassTotals> classes_;
  Time ends_;
  Time opened_ = never;
  Time closed_ = never;
  std::int64_t packets_generated_ = 0;
  std::int64_t messages_measured_ = 0;
  std::int64_t messages_outstanding_ = 0;
  std::int64_t packets_lost_ = 0;
  std::int64_t packets_corrupt_ = 0;
  std::int64_t packets_so_far_ = 0;
  std::int64_t packets_generated_so_far_ = 0;
  Distribution latency_;
  Distribution network_latency_;
  Distribution blocked_;
  Distribution head_blocked_;
  Moments in_transit_hosts_;
  std::vector<double> latencies_;  ///< of messages in order of delivery, for the batch means
  Series warm_up_;
  TimeSeries series_;
};

}  // namespace sanvp::traffic
