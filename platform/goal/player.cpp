#include "platform/goal/player.hpp"

#include <string>
#include <utility>

#include "models/net/network.hpp"

namespace sanvp::goal {
namespace {

// After all kinds of Network's own events at the same instant.
enum Kind : std::uint16_t { enter_kind = 100, unsent_kind, act_kind };

}  // namespace

Player::Player(const Program& program, const LogGops& costs, const std::vector<int>& hosts, const Machine& machine,
               net::EventQueue& queue, net::Network& network)
    : machine_(machine),
      queue_(queue),
      network_(network),
      latency_(costs.L + machine.format().send_latency + machine.format().receive_latency),
      hosts_(hosts),
      ranks_(program, costs, false, [this](std::uint32_t message, Time at) { carry(message, at); }) {
  machine.require_no_congestion_control("a GOAL program");
  for (int host = 0; host < machine.hosts(); ++host) {
    network_.attach(host, *this);
    nodes_.push_back({.selection = machine.make_route_selection(),
                      .random = {machine.seed(), machine.graph().hosts()[host].name + ".route"}});
  }
  act_later();
}

void Player::act_later() {
  const Time next = ranks_.next();
  if (next == never || next >= planned_) return;
  planned_ = next;
  queue_.schedule({.ps = next.count(), .handler = this, .kind = act_kind});
}

void Player::handle(const net::Event& event) {
  switch (event.kind) {
    case enter_kind:
      enter(event.serial);
      break;
    case unsent_kind:
      nodes_[event.unit].is_feeding = false;
      feed(static_cast<int>(event.unit));
      break;
    default:
      if (queue_.now() != planned_) break;  // an earlier one was scheduled after it
      planned_ = never;
      while (ranks_.next() == queue_.now()) ranks_.act();
      act_later();
  }
}

// ---- sending

void Player::carry(std::uint32_t number, Time at) {
  const Message& message = ranks_.message(number);
  if (hosts_[message.source] == hosts_[message.destination]) {
    ranks_.arrived(number, at + latency_);
    return;
  }
  queue_.schedule({.ps = at.count(),
                   .handler = this,
                   .serial = number,
                   .kind = enter_kind,
                   .unit = static_cast<std::uint32_t>(hosts_[message.source])});
}

void Player::enter(std::uint32_t number) {
  const Message& message = ranks_.message(number);
  if (transfers_.size() <= number) transfers_.resize(number + 1);
  transfers_[number] = {.packets = machine_.format().packets(static_cast<std::int64_t>(message.bytes))};
  const int host = hosts_[message.source];
  nodes_[host].queue.push_back(number);
  feed(host);
}

/// Hands the NIC one packet; the next one follows when it takes this one.
void Player::feed(int host) {
  Node& node = nodes_[host];
  while (!node.is_feeding && !node.queue.empty()) {
    const std::uint32_t number = node.queue.front();
    Transfer& transfer = transfers_[number];
    const bool has_route = send_packet(host, number);
    if (has_route) {
      node.is_feeding = true;
      ++transfer.sent;
    }
    if (!has_route || transfer.sent == transfer.packets) node.queue.pop_front();
    if (!has_route) {  // the rest of the message is lost with it
      const std::int64_t rest = std::exchange(transfer.packets, transfer.sent) - transfer.sent;
      transfer.is_lost = true;
      if (rest > 0 && transfer.over == transfer.packets) ++lost_;
    }
  }
}

/// @return whether there is a route
bool Player::send_packet(int host, std::uint32_t number) {
  const Message& message = ranks_.message(number);
  const topologies::Routing& routing = machine_.routing();
  const int destination = hosts_[message.destination];
  if (routing.alternatives(host, destination) == 0) return false;
  Node& node = nodes_[host];
  const nic::PacketFormat& format = machine_.format();
  const std::int64_t payload = format.payload(static_cast<std::int64_t>(message.bytes), transfers_[number].sent);
  net::Packet& packet = network_.make_packet();
  packet.flits = format.flits(payload);
  packet.generated = queue_.now();
  packet.tag = number;
  // The path of a message ends with its last packet, whose waits count.
  if (history_ != nullptr && transfers_[number].sent + 1 == transfers_[number].packets)
    packet.tag |= (std::int64_t{history_->transfer_of(message)} + 1) << History::tag_shift;
  machine_.address(packet, host, destination, node.selection->select(routing, host, destination, payload, node.random));
  network_.send(packet);
  return true;
}

Serialisation Player::serialisation(const Message& message) const {
  const nic::PacketFormat& format = machine_.format();
  const auto bytes = static_cast<std::int64_t>(message.bytes);
  const std::int64_t packets = format.packets(bytes);
  const int host = hosts_[message.source];
  const auto time_of = [&](std::int64_t packet) {
    return machine_.unhindered(host, format.flits(format.payload(bytes, packet)));
  };
  return {
      .before = (packets - 1) * time_of(0), .last = time_of(packets - 1), .channel = machine_.wiring().nics[host].out};
}

void Player::injected(net::Packet& packet) {
  nodes_[packet.source].is_feeding = false;
  feed(packet.source);
}

void Player::sent(net::Packet& packet) {
  nodes_[packet.source].selection->sent(packet.injected, queue_.now(),
                                        machine_.unhindered(packet.source, packet.flits));
}

// ---- arrival

void Player::delivered(net::Packet& packet, int) {
  if (const std::int64_t transfer = packet.tag >> History::tag_shift; transfer > 0)
    history_->injected(static_cast<std::uint32_t>(transfer - 1), packet.injected);
  if (!packet.lost) packet_over(static_cast<std::uint32_t>(packet.tag), false);
}

/// A packet that its NIC never took, because its host's own cable has failed, delays the next one for as long as if it
/// had been sent.
void Player::lost(net::Packet& packet) {
  if (packet.injected == never)
    queue_.schedule({.ps = (queue_.now() + machine_.unhindered(packet.source, packet.flits)).count(),
                     .handler = this,
                     .kind = unsent_kind,
                     .unit = static_cast<std::uint32_t>(packet.source)});
  packet_over(static_cast<std::uint32_t>(packet.tag), true);
}

void Player::packet_over(std::uint32_t number, bool is_lost) {
  Transfer& transfer = transfers_[number];
  transfer.is_lost |= is_lost;
  if (++transfer.over < transfer.packets) return;
  if (transfer.is_lost) {
    ++lost_;
    return;
  }
  ranks_.arrived(number, queue_.now() + latency_);
  act_later();
}

}  // namespace sanvp::goal
