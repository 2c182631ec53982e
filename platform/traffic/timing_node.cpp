#include "platform/traffic/timing_node.hpp"

namespace sanvp::traffic {

TimingNode::TimingNode(const TimingNodeSettings& settings, Time ends, TrafficNodes& nodes, net::EventQueue& queue)
    : settings_(settings), ends_(ends), nodes_(nodes), queue_(queue) {
  if (settings_.interval == Time{0}) return;
  nodes_.probe_arrived = [this](const Message& message, Time delivered) {
    if (message.packets_lost == 0) probes_.push_back({message.generated, message.injected, delivered});
  };
  schedule(settings_.interval);
}

void TimingNode::schedule(Time at) {
  constexpr std::uint16_t kind = 110;  // after the traffic nodes of the same instant
  queue_.schedule({.ps = at.count(), .handler = this, .kind = kind});
}

void TimingNode::handle(const net::Event& event) {
  if (nodes_.is_quiet()) return;  // no further event will happen
  nodes_.send_probe(settings_.source, settings_.destination, settings_.bytes);
  schedule(Time{event.ps} + settings_.interval);
}

Table TimingNode::table() const {
  Table table({"generated_ns", "injected_ns", "delivered_ns", "latency_ns"});
  for (const Probe& probe : probes_)
    table.add({in_ns(probe.generated), in_ns(probe.injected), in_ns(probe.delivered),
               in_ns(probe.delivered - probe.generated + ends_)});
  return table;
}

}  // namespace sanvp::traffic
