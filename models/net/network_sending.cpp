/// The sending side of NICs: a packet gets a place, a virtual channel, and its first leg.

#include "models/net/network.hpp"

#include <bit>
#include <stdexcept>

#include "platform/core/error.hpp"

namespace sanvp::net {

namespace {

/// Attempts of a packet on one link: a link on which so many fail is as good as cut, and the run has to go on.
constexpr std::int64_t most_attempts = 1000;

/// (1-e)^bits by repeated squaring: IEEE basic operations only, so the same on every machine.
double all_intact(const ChannelRules& rules, std::int64_t flits) {
  double power = 1 - rules.bit_error_rate;
  double result = 1;
  for (std::int64_t bits = flits * rules.flit_bits; bits != 0; bits >>= 1, power *= power)
    if ((bits & 1) != 0) result *= power;
  return result;
}

}  // namespace

void Network::send(Packet& packet) {
  if (packet.source < 0 || packet.source >= static_cast<int>(ports_.size()))
    throw UserError("packet " + std::to_string(packet.id), "there is no host " + std::to_string(packet.source),
                    "hosts go from 0 to " + std::to_string(ports_.size() - 1));
  if (packet.flits < 1)
    throw UserError("packet " + std::to_string(packet.id), "a packet has at least one flit", "give it a length");
  ports_[packet.source].queue.push_back(&packet);
  ++in_flight_;
  if (packet_observer_ != nullptr) packet_observer_->packet_sent(packet, now());
  wake_nic(packet.source);
}

void Network::start_packets(int nic) {
  NicPort& port = ports_[nic];
  const Layout::Nic& at = layout_.nics[nic];
  while (port.somebody_waits()) {
    while (!port.leaving.empty() && port.leaving.front().ps <= queue_.now_ps()) {
      const auto [ps, vc] = port.leaving.take_front();
      leave(nic, vc, ps);
    }
    const std::int64_t next_leaves_ps = port.leaving.empty() ? never.count() : port.leaving.front().ps;
    if (port.busy_slots >= at.slots) return wake_nic_at(nic, next_leaves_ps);
    if (port.ready_ps > queue_.now_ps()) return wake_nic_at(nic, port.ready_ps);
    if (!port.in_transit.empty()) {
      const auto [arriving, ready_ps] = port.in_transit.front();
      if (ready_ps > queue_.now_ps()) return;
      const int vc = free_vc(nic, topologies::Step::any_vc);
      if (vc < 0) return wake_nic_at(nic, next_leaves_ps);
      port.in_transit.pop_front();
      start_packet(nic, vc, *arriving->packet, arriving);
    } else if (at.out >= 0 && cannot_leave(at.out, *port.queue.front())) {
      Packet& packet = *port.queue.front();
      port.queue.pop_front();
      lose(packet);
      continue;
    } else {
      Packet& packet = *port.queue.front();
      const int vc = free_vc(nic, packet.route.source_vc);
      if (vc < 0) return wake_nic_at(nic, next_leaves_ps);
      port.queue.pop_front();
      start_packet(nic, vc, packet, nullptr);
    }
    if (at.gap_from == NicRules::GapFrom::start) port.ready_ps = queue_.now_ps() + at.gap_ps;
  }
}

/// A packet's tail has left the NIC at `ps`.
void Network::leave(int nic, int vc, std::int64_t ps) {
  NicPort& port = ports_[nic];
  port.owned &= ~(1U << vc);
  --port.busy_slots;
  const Layout::Nic& at = layout_.nics[nic];
  if (at.gap_from == NicRules::GapFrom::tail_end) port.ready_ps = ps + at.gap_ps;
}

/// The cable to the first switch takes no packets, or the sender knows no way.
bool Network::cannot_leave(int channel, const Packet& packet) const {
  if (layout_.channels[channel].special && wiring_.channels[channel].failed) return true;
  return packet.route.steps.empty() && packet.descend == nullptr &&
         wiring_.channels[channel].to.kind == Terminal::Kind::switch_;
}

void Network::lose(Packet& packet) {
  count_loss(packet, layout_.nics[packet.source].out, 0);
  if (Endpoint* endpoint = ports_[packet.source].endpoint; endpoint != nullptr) endpoint->lost(packet);
  packet.payload.reset();
  packet.descend = nullptr;
  --in_flight_;
  free_packets_.push_back(&packet);
}

/// A virtual channel that the NIC's next packet may have, or -1. @param wanted  that one, or any_vc
int Network::free_vc(int nic, int wanted) const {
  const int channel = layout_.nics[nic].out;
  if (channel < 0) throw UserError(wiring_.nics[nic].name, "the host is not cabled", "connect it to a switch");
  const int virtual_channels = first_lane_[channel + 1] - first_lane_[channel];
  const std::uint32_t free = ~ports_[nic].owned & ((1U << virtual_channels) - 1);
  if (wanted != topologies::Step::any_vc) return (free >> wanted & 1U) != 0 ? wanted : -1;
  return free == 0 ? -1 : std::countr_zero(free);
}

/// It is in no queue any more: whoever still waits wants to be told when it has left.
void Network::start_packet(int nic, int vc, Packet& packet, Leg* in_transit) {
  NicPort& port = ports_[nic];
  const Layout::Nic& at = layout_.nics[nic];
  port.owned |= 1U << vc;
  ++port.busy_slots;
  ++progress_;

  Leg& leg = make_leg(packet, at.out, vc);
  if (in_transit == nullptr) {
    leg.data_length = packet.flits;
    leg.length = packet.flits + (at.circuit ? 1 : 0);
    packet.injected = now();
    // The next one waits for this one's last data flit, however many places are free.
    if (at.gap_from == NicRules::GapFrom::data_end) port.ready_ps = never.count();
    if (port.endpoint != nullptr) port.endpoint->injected(packet);
  } else {
    leg.up = in_transit;
    in_transit->down = &leg;
    leg.reinjected = true;
    leg.step = in_transit->step;
    leg.data_length = in_transit->data_length;
    leg.length = in_transit->length;
  }
  leg.last = layout_.channels[at.out].to_nic;
  begin(leg, queue_.now_ps());
}

void Network::begin(Leg& leg, std::int64_t earliest_ps) {
  if (leg.up != nullptr) {
    leg.intact = leg.up->intact;
    leg.cut = leg.up->cut;
  }
  if (!layout_.channels[leg.channel].special) {
    flow_->start(leg, earliest_ps);
    return;
  }
  const Wiring::Channel& channel = wiring_.channels[leg.channel];
  if (channel.failed) leg.cut = true;
  if (channel.rules.bit_error_rate > 0) earliest_ps = meet_errors(leg, channel.rules, earliest_ps);
  const bool whole =
      channel.to.kind == Terminal::Kind::switch_ && wiring_.switches[channel.to.unit].rules.store_and_forward;
  if (const int places = buffer_flits(channel.rules.flow); whole && leg.length > places)
    throw UserError(channel.name,
                    "packet " + std::to_string(leg.packet->id) + " of " + std::to_string(leg.length) +
                        " flits cannot be stored in a buffer of " + std::to_string(places),
                    "send shorter packets or enlarge the buffer");
  flow_->start(leg, earliest_ps);
}

/// Bit errors of the leg's channel. @return when its header may start, after attempts of the link that fail
std::int64_t Network::meet_errors(Leg& leg, const ChannelRules& rules, std::int64_t earliest_ps) {
  const double intact = all_intact(rules, leg.length);
  if (!rules.retry) {
    leg.intact *= intact;
    return earliest_ps;
  }
  const Time attempt = rules.flit_time * (leg.length - 1) + rules.tail_time + rules.turnaround;
  Random& random = link_errors_[leg.channel];
  std::int64_t failed = 0;
  while (failed < most_attempts && random.uniform() >= intact) ++failed;
  retries_ += static_cast<std::uint64_t>(failed);
  return earliest_ps + failed * attempt.count();
}

void Network::forward(Packet& packet, int host) {
  for (NicPort::InTransit& one : ports_[host].in_transit) {
    if (one.arriving->packet != &packet || one.ready_ps <= queue_.now_ps()) continue;
    one.ready_ps = queue_.now_ps();
    return wake_nic(host);
  }
  throw std::logic_error("a packet is forwarded that is not in transit here");
}

void Network::data_over(Leg& leg, std::int64_t ps) {
  const Layout::Channel& channel = layout_.channels[leg.channel];
  if (!channel.from_nic) return;
  const Layout::Nic& at = layout_.nics[channel.from];
  if (at.gap_from != NicRules::GapFrom::data_end) return;
  NicPort& port = ports_[channel.from];
  port.ready_ps = ps < 0 ? never.count() : ps + at.gap_ps;
  if (port.somebody_waits() && port.busy_slots < at.slots) wake_nic_at(channel.from, port.ready_ps);
}

}  // namespace sanvp::net
