#include "platform/replay/replay.hpp"

#include <algorithm>
#include <numeric>

#include "models/net/network.hpp"
#include "platform/core/error.hpp"
#include "platform/core/ns_text.hpp"

namespace sanvp::replay {
namespace {

constexpr std::uint16_t send_event = 64;  // after all kinds of Network's own events at the same instant

}  // namespace

Replay::Replay(const Machine& machine, net::EventQueue& queue, net::Network& network,
               const std::vector<Packet>& packets, const std::string& name, DefaultRoute default_route)
    : machine_(machine),
      queue_(queue),
      network_(network),
      packets_(packets),
      name_(name),
      default_route_(default_route),
      order_(packets.size()),
      deliveries_(packets.size()) {
  machine.require_no_congestion_control("replay");
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return packets_[a].time < packets_[b].time; });
  for (int host = 0; host < machine.hosts(); ++host) {
    network_.attach(host, *this);
    selections_.push_back(machine.make_route_selection());
    random_.emplace_back(machine.seed(), machine.graph().hosts()[host].name + ".route");
  }
  schedule_next();
}

void Replay::schedule_next() {
  if (next_ == order_.size()) return;
  queue_.schedule({.ps = packets_[order_[next_]].time.count(), .handler = this, .kind = send_event});
}

void Replay::handle(const net::Event&) {
  for (; next_ < order_.size() && packets_[order_[next_]].time == queue_.now(); ++next_) send(order_[next_]);
  schedule_next();
}

int Replay::choose_alternative(std::size_t index) {
  const auto& [time, source, destination, bytes, route_id] = packets_[index];
  const auto fail = [&, from = source, to = destination](const std::string& cause, const std::string& cure) {
    throw UserError(name_ + ": packet " + std::to_string(index),
                    cause + " from host " + std::to_string(from) + " to host " + std::to_string(to), cure);
  };
  if (machine_.routing().alternatives(source, destination) == 0) fail("there is no route", "add one to the routes");
  constexpr int lowest_id = 0;  // they are ascending
  if (route_id == Packet::any_route && default_route_ == DefaultRoute::lowest_id) return lowest_id;
  if (route_id == Packet::any_route)
    return selections_[source]->select(machine_.routing(), source, destination, bytes, random_[source]);
  const int alternative = machine_.alternative(source, destination, route_id);
  if (alternative < 0) fail("there is no route " + std::to_string(route_id), "name one of the pair's routes");
  return alternative;
}

void Replay::send(std::size_t index) {
  const Packet& one = packets_[index];
  const int alternative = choose_alternative(index);
  net::Packet& packet = network_.make_packet();
  machine_.address(packet, one.source, one.destination, alternative);
  packet.flits = machine_.replay_flits(one.bytes);
  packet.generated = one.time;
  packet.tag = static_cast<std::int64_t>(index);
  deliveries_[index].route_id = machine_.routing().route_id(one.source, one.destination, alternative);
  deliveries_[index].in_transit_hosts = packet.route.in_transit_hosts();
  network_.send(packet);
}

void Replay::injected(net::Packet& packet) {
  deliveries_[static_cast<std::size_t>(packet.tag)].injected = packet.injected;
}

void Replay::delivered(net::Packet& packet, int) {
  deliveries_[static_cast<std::size_t>(packet.tag)].delivered = packet.delivered;
  ++done_;
}

void Replay::sent(net::Packet& packet) {
  selections_[packet.source]->sent(packet.injected, queue_.now(), machine_.unhindered(packet.source, packet.flits));
}

std::string to_text(const std::vector<Packet>& packets, const std::vector<Delivery>& deliveries) {
  std::string text;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto& [time, source, destination, bytes, unused] = packets[i];
    const auto& [route_id, in_transit_hosts, injected, delivered] = deliveries[i];
    const Time latency = delivered == never ? never : delivered - time;
    for (const std::string& column :
         {std::to_string(i), ns_text(time), std::to_string(source), std::to_string(destination), std::to_string(bytes),
          std::to_string(route_id), ns_text(injected), ns_text(delivered), ns_text(latency)})
      text += column + " ";
    text += std::to_string(in_transit_hosts) + "\n";
  }
  return text;
}

}  // namespace sanvp::replay
