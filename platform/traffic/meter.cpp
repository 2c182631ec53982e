#include "platform/traffic/meter.hpp"

namespace sanvp::traffic {

void Meter::open(Time now) {
  opened_ = now;
  for (NodeTotals& node : nodes_) node.source_queue.restart(now);
}

void Meter::close(Time now) {
  closed_ = now;
  for (NodeTotals& node : nodes_) {
    node.source_queue_mean = node.source_queue.mean(now);
    node.source_queue_most = node.source_queue.most();
  }
}

void Meter::generated(Message& message, std::int64_t packets, std::int64_t wire_bytes) {
  packets_generated_so_far_ += packets;
  series_.generated(message);
  message.measured = is_open();
  if (!message.measured) return;
  NodeTotals& node = nodes_[message.origin];
  node.offered_bytes += message.data_bytes;
  if (ClassTotals* const one = class_of(message)) one->offered_bytes += message.data_bytes;
  node.offered_wire_bytes += wire_bytes;
  packets_generated_ += packets;
  ++messages_measured_;
  ++messages_outstanding_;
}

void Meter::packet_sent(PacketRecord& record, const Message& message, int in_transit_hosts) {
  record.measured = message.measured;
  if (record.measured) in_transit_hosts_.add(in_transit_hosts);
}

void Meter::packet_delivered(const PacketRecord& record, const Message& message, const net::Packet& packet) {
  if (message.kind == Message::Kind::probe) return;  // not part of the measured traffic
  const Time now = packet.delivered;
  series_.delivered(packet);
  ++packets_so_far_;
  if (opened_ == never) warm_up_.add(static_cast<double>((now - message.generated).count()));
  if (is_open()) {
    NodeTotals& origin = nodes_[message.origin];
    origin.accepted_wire_bytes += record.wire_bytes;
    if (message.kind == Message::Kind::data) {
      origin.accepted_bytes += record.payload;
      if (ClassTotals* const one = class_of(message)) one->accepted_bytes += record.payload;
      nodes_[message.destination].received_bytes += record.payload;
    }
  }
  if (!record.measured) return;
  network_latency_.add((now - packet.injected).count());
  if (packet.corrupt) ++packets_corrupt_;
}

void Meter::packet_over(const PacketRecord& record) {
  if (!record.measured) return;
  blocked_.add(record.blocked_ps);
  head_blocked_.add(record.head_blocked_ps);
}

void Meter::packet_lost(const PacketRecord& record, const Message& message) {
  if (is_open() && message.kind == Message::Kind::data) nodes_[message.origin].lost_bytes += record.payload;
  if (is_open() && message.kind == Message::Kind::request) nodes_[message.origin].lost_bytes += message.data_bytes;
  if (record.measured) ++packets_lost_;
}

void Meter::message_over(const Message& message, Time now) {
  if (message.packets_lost == 0) series_.delivered(message, now, ends_);
  if (!message.measured) return;
  if (message.kind == Message::Kind::request && message.packets_lost == 0) return;
  --messages_outstanding_;
  if (message.packets_lost > 0) return;
  const Time latency = now - message.generated + ends_;
  latency_.add(latency.count());
  if (ClassTotals* const one = class_of(message)) one->latency_ps.add(latency.count());
  latencies_.push_back(static_cast<double>(latency.count()));
}

}  // namespace sanvp::traffic
