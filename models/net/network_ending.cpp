/// The ends of hops: virtual channels are released, packets delivered, circuits acknowledged.

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/net/network.hpp"

namespace sanvp::net {

void Network::tail_over(Hop& hop, std::int64_t ps) {
  if (hop.release_at_ps == ps) return;
  hop.release_at_ps = ps;
  if (ps < 0) return;
  if (told_promptly_ || !stands(hop)) return schedule(k_released, hop, ps);
  const Layout::Channel& channel = layout_.channels[hop.channel];
  hop.quiet = channel.from_nic ? leave_later(hop, channel.from, ps)
                               : crossbars_[channel.from].release_later(channel.from_port, ps, hop, queue_.now_ps());
  if (!hop.quiet) schedule(k_released, hop, ps);
}

/// Whether the end of the hop's tail, as it is planned now, is for good: where virtual channels hold a channel it is so
/// for a circuit's EOP behind data that have all been delivered, since a command waits for no other data. (Observers
/// that sum up packets at their last release keep the order of these.)
bool Network::stands(const Hop& hop) const {
  if (plans_stand_) return true;
  if (hop.last && observer_ != nullptr) return false;
  return eops_stand_ && hop.length != hop.data_length && hop.packet->branches == 0 && !hop.packet->lost;
}

/// A packet of a NIC whose end nobody wants to hear of: its place and its virtual channel are free from `ps` on.
bool Network::leave_later(const Hop& hop, int nic, std::int64_t ps) {
  NicPort& port = ports_[nic];
  if (hop.reinjected || port.hears_sent) return false;
  auto place = port.leaving.end();
  while (place != port.leaving.begin() && (place - 1)->ps > ps) --place;
  port.leaving.insert(place, {ps, hop.vc});
  if (port.somebody_waits()) wake_nic_at(nic, ps);
  return true;
}

void Network::release(Hop& hop) {
  const Layout::Channel& channel = layout_.channels[hop.channel];
  count(hop, queue_.now_ps());
  if (channel.from_nic) {
    NicPort& port = ports_[channel.from];
    leave(channel.from, hop.vc, queue_.now_ps());
    wake_nic(channel.from);
    if (!hop.reinjected) {
      if (port.endpoint != nullptr) port.endpoint->sent(*hop.packet);
    } else {
      port.pool_used -= hop.length;
      if (!port.pool_waiting.empty()) full_pools_.push_back(channel.from);
    }
  } else {
    Crossbar& crossbar = crossbars_[channel.from];
    crossbar.release(channel.from_port, hop.vc);
    if (!crossbar.waiting().empty()) wake_switch(channel.from);
  }
  part(hop, queue_.now_ps());
}

/// A hop whose release nobody has waited for, and those before it.
void Network::release_quietly(Hop& hop, std::int64_t until_ps) {
  if (!std::exchange(hop.quiet, false)) return;
  if (hop.release_at_ps <= until_ps) {
    count(hop, hop.release_at_ps);
    part(hop, until_ps);
  } else {
    schedule(k_released, hop, hop.release_at_ps);
  }
}

void Network::catch_up() {
  const std::pair present{queue_.now_ps(), queue_.processed()};
  if (std::exchange(caught_up_, present) == present) return;
  release_quietly_until(queue_.now_ps());
}

Time Network::last_quiet_release() const {
  std::int64_t last_ps = queue_.now_ps();
  for (const Hop& hop : hops_)
    if (hop.quiet) last_ps = std::max(last_ps, hop.release_at_ps);
  return Time{last_ps};
}

bool Network::conclude(Time until) {
  const Time last = last_quiet_release();
  queue_.advance_to(std::min(last, until));
  release_quietly_until(queue_.now_ps());
  return last <= until;
}

void Network::release_quietly_until(std::int64_t until_ps) {
  for (Hop& hop : hops_)
    if (hop.quiet && hop.release_at_ps <= until_ps) release_quietly(hop, until_ps);
}

void Network::count(Hop& hop, std::int64_t released_ps) {
  Layout::Counters& counters = layout_.channels[hop.channel].counters;
  __builtin_prefetch(&counters);  // while the hops before are looked at, one after the other
  // Observers hear of a packet's hops in their order: whoever sums up a packet does so at its last one.
  if (hop.up != nullptr) release_quietly(*hop.up, released_ps);
  hop.owner = false;
  ++counters.packets;
  counters.flits += static_cast<std::uint64_t>(hop.length);
  counters.held_ps += released_ps - hop.granted_ps;
  if (observer_ != nullptr) observer_->hop_over(hop, Time{released_ps});
}

/// A released hop and the one before it have nothing more to do with each other.
void Network::part(Hop& hop, std::int64_t until_ps) {
  Hop* up = std::exchange(hop.up, nullptr);
  const bool is_branch = up != nullptr && up->fork != nullptr;
  if (!is_branch) end_loose(hop);
  if (up == nullptr) return;
  release_quietly(*up, until_ps);
  if (--up->open_branches > 0) return;
  // What a branch has sent counts until the last of them is through.
  if (is_branch)
    for (Hop* branch : up->fork->branches) end_loose(*branch);
  end_loose(*up);
}

void Network::data_arrived(Hop& hop, std::int64_t ps) {
  if (hop.arrive_at_ps == ps) return;
  hop.arrive_at_ps = ps;
  if (ps >= 0) schedule(k_arrived, hop, ps);
}

namespace {

/// What a bit error leaves of a payload, one bit of it wrong. A copy: the sender, and other receivers of a broadcast,
/// have the original.
std::shared_ptr<std::vector<std::byte>> damaged(const std::vector<std::byte>& payload, Random& random) {
  auto copy = std::make_shared<std::vector<std::byte>>(payload);
  constexpr std::uint64_t bits_per_byte = 8;
  const std::uint64_t bit = random.below(copy->size() * bits_per_byte);
  (*copy)[bit / bits_per_byte] ^= std::byte{1} << static_cast<int>(bit % bits_per_byte);
  return copy;
}

}  // namespace

void Network::deliver(Hop& hop) {
  release_quietly(hop, queue_.now_ps());
  Packet& packet = *hop.packet;
  const int host = layout_.channels[hop.channel].to;
  ++progress_;
  --packet.branches;
  if (hop.cut) return find_spoilt(hop);
  packet.delivered = now();
  if (!packet.lost) ++delivered_;
  const bool hit = hop.intact < 1 && bit_errors_[host].uniform() >= hop.intact;
  corrupt_ += hit ? 1 : 0;
  const bool others_hit = std::exchange(packet.corrupt, hit);
  const auto original = packet.payload;
  if (hit && original != nullptr && !original->empty()) packet.payload = damaged(*original, bit_errors_[host]);
  if (packet_observer_ != nullptr) packet_observer_->packet_delivered(packet, host, now());
  if (ports_[host].endpoint != nullptr && !packet.abandoned) ports_[host].endpoint->delivered(packet, host);
  packet.corrupt |= others_hit;
  packet.payload = original;
  if (hop.length == hop.data_length)
    end_loose(hop);
  else if (layout_.nics[host].answers && !packet.abandoned)
    ports_[host].unanswered.push_back(&hop);
  else
    acknowledge_from(hop);
}

/// The EOP of a circuit has arrived.
void Network::close(Hop& hop) {
  const int host = layout_.channels[hop.channel].to;
  if (layout_.nics[host].answers && ports_[host].endpoint != nullptr) ports_[host].endpoint->closed(*hop.packet);
}

void Network::acknowledge(Packet& packet, int host, int acknowledgement, std::uint64_t reply) {
  auto& unanswered = ports_[host].unanswered;
  const auto found =
      std::find_if(unanswered.begin(), unanswered.end(), [&](Hop* hop) { return hop->packet == &packet; });
  if (packet.abandoned) return;
  if (found == unanswered.end()) throw std::logic_error("a packet is acknowledged that holds no circuit here");
  Hop& hop = **found;
  unanswered.erase(found);
  packet.acknowledgement = std::max(packet.acknowledgement, acknowledgement);
  packet.reply = reply;
  acknowledge_from(hop);
}

void Network::abandon(Packet& packet) {
  packet.abandoned = true;
  for (NicPort& port : ports_) {
    for (Hop* hop : port.unanswered)
      if (hop->packet == &packet) acknowledge_from(*hop);
    std::erase_if(port.unanswered, [&](const Hop* hop) { return hop->packet == &packet; });
  }
}

void Network::drained(Hop& hop, std::int64_t ps) {
  // An in-transit packet ends here only for the lane; a packet without EOP ends with its delivery.
  if (hop.last ? hop.length == hop.data_length : !hop.discarded) return;
  if (hop.drained_at_ps == ps) return;
  hop.drained_at_ps = ps;
  if (ps >= 0) schedule(k_drained, hop, ps);
}

void Network::acknowledge_from(Hop& last) {
  const Layout::Channel& end = layout_.channels[last.channel];
  std::int64_t ps = queue_.now_ps();
  if (end.to_nic) ps += layout_.nics[end.to].acknowledge_ps;
  Hop* hop = &last;
  for (;;) {
    ps += layout_.answer_hop_ps[hop->channel];
    flow_->fetch(hop->channel, hop->lane);  // the EOP comes this way soon
    Hop* up = hop->up;
    if (up == nullptr) break;
    if (up->fork != nullptr) {
      // The acknowledgements of a broadcast are combined on their way back: the last one counts.
      up->fork->ack_ps = std::max(up->fork->ack_ps, ps);
      if (++up->fork->acks < static_cast<std::int32_t>(up->fork->count)) return;
      ps = up->fork->ack_ps;
    }
    hop = up;
  }
  schedule(k_acknowledged, *hop, ps);
}

}  // namespace sanvp::net
