/// Traffic nodes whose NICs control congestion: flows at their rates, and notifications for marked packets.
#include <algorithm>

#include "models/net/network.hpp"
#include "platform/traffic/traffic_nodes.hpp"

namespace sanvp::traffic {

/// Hands the NIC one packet at a time, as feed() does, of the flow whose turn it is.
void TrafficNodes::feed_flows(int n) {
  Node& node = nodes_[n];
  PacedFlows& flows = *node.flows;
  while (node.handed_over == 0) {
    const int destination = flows.next(network_.now());
    if (destination < 0) break;
    const std::uint32_t index = flows.first(destination);
    const bool has_route = under_test_.routing.alternatives(n, destination) > 0;
    if (has_route) {
      send_packet(n, index);
      const Message& message = ledger_.messages[index];
      if (message.packets_sent < message.packets) return;
    }
    flows.pop(destination);
    meter_.queue_length(n, network_.now(), queued_messages(node));
    if (!has_route) give_up(index);
  }
  if (node.handed_over > 0 || flows.resumes() == never) return;
  if (flows.alarm > network_.now() && flows.alarm <= flows.resumes()) return;  // an event is on its way
  flows.alarm = flows.resumes();
  schedule(resume_kind, n, flows.alarm);
}

void TrafficNodes::flow_started(const net::Packet& packet) {
  const net::ChannelRules& rules = under_test_.injection(packet.source);
  const Time span =
      under_test_.unhindered ? under_test_.unhindered(packet.source, packet.flits) : rules.flit_time * packet.flits;
  nodes_[packet.source].flows->started(packet.destination, network_.now(), std::max(span, Time{1}),
                                       std::int64_t{packet.flits} * under_test_.format.flit_bytes);
}

/// A marked packet has arrived: its sender is told, by a packet of its own.
void TrafficNodes::notify(const net::Packet& marked) {
  if (meter_.is_open()) ++congestion_.marked;
  PacedFlows* const flows = nodes_[marked.destination].flows.get();
  if (flows == nullptr || !flows->answers(marked.source, network_.now(), under_test_.congestion.least_interval)) return;
  schedule(notify_kind, marked.destination, network_.now() + ends_, static_cast<std::uint32_t>(marked.source));
}

/// It goes to the NIC at once, ahead of messages that wait here.
void TrafficNodes::send_notification(int receiver, int sender) {
  if (under_test_.routing.alternatives(receiver, sender) == 0) return;  // parts have failed meanwhile
  const std::int64_t payload = under_test_.congestion.notification_bytes;
  net::Packet& packet = network_.make_packet();
  packet.flits = under_test_.format.flits(payload);
  packet.tag = PacedFlows::notification_tag;
  under_test_.address(packet, receiver, sender, choose_alternative(receiver, sender, payload));
  if (meter_.is_open()) ++congestion_.notifications;
  network_.send(packet);
}

void TrafficNodes::notification_arrived(const net::Packet& packet) {
  if (!packet.lost) nodes_[packet.destination].flows->notified(packet.source, network_.now());
}

}  // namespace sanvp::traffic
