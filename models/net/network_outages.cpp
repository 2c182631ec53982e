/// Losses, and channels that fail and are repaired with packets on them (TIMING.md, "Failed channels" and "Outages").

#include <tuple>

#include "models/net/network.hpp"

namespace sanvp::net {

void Network::fail(int channel) {
  if (wiring_->channels[channel].failed) return;
  change_wiring().channels[channel].failed = true;
  layout_.channels[channel].special = true;
  for (Hop& hop : hops_)
    if (hop.channel == channel && is_on_its_channel(hop)) cut(hop);
  const Terminal from = wiring_->channels[channel].from;
  if (from.kind == Terminal::Kind::nic) {
    wake_nic(from.unit);
    return;
  }
  std::vector<Hop*> cut_off;
  crossbars_[from.unit].fail(from.port, cut_off);
  for (Hop* hop : cut_off) discard(*hop);
  wake_switch(from.unit);
}

void Network::repair(int channel) {
  if (!wiring_->channels[channel].failed) return;
  change_wiring().channels[channel].failed = false;
  const Terminal from = wiring_->channels[channel].from;
  if (from.kind == Terminal::Kind::nic) {
    wake_nic(from.unit);
  } else {
    crossbars_[from.unit].repair(from.port);
    wake_switch(from.unit);
  }
}

/// Free storage owns nothing. A quiet release may be over and not yet accounted for.
bool Network::is_on_its_channel(const Hop& hop) const {
  return hop.owner && !(hop.quiet && hop.due.release_ps <= queue_.now_ps());
}

/// Cuts the hop and those that it feeds, except those whose data have been delivered.
void Network::cut(Hop& hop) {
  if (hop.last && hop.due.arrival_ps == happened) return;
  hop.cut = true;
  if (hop.fork != nullptr)
    for (Hop* branch : hop.fork->branches) cut(*branch);
  else if (hop.down != nullptr && hop.down->up == &hop)  // else the storage may be another packet's by now
    cut(*hop.down);
}

/// Instead of a delivery: the last data flit of a cut worm has come. It is drained like any other.
void Network::find_spoilt(Hop& hop) {
  Packet& packet = *hop.packet;
  count_loss(packet, hop.channel, hop.step);
  if (hop.length != hop.data_length) return acknowledge_from(hop);  // the source closes the circuit, too
  if (Endpoint* source = ports_[packet.source].endpoint; source != nullptr) source->lost(packet);
  end_loose(hop);
}

/// The packet finds no way on: its flits are taken out of the network as they arrive at the end of the hop.
void Network::discard(Hop& hop) {
  hop.discarded = true;
  count_loss(*hop.packet, hop.channel, hop.step);
  flow_->drain(hop);
  // A circuit's source has to get an answer, or it would hold the path for ever.
  if (hop.length != hop.data_length) acknowledge_from(hop);
}

/// Called by the flow. @param ps  when the last flit of a circuit, or of a discarded packet, has left the network
void Network::drained(Hop& hop, std::int64_t ps) {
  // An in-transit packet ends here only for the channel; a packet without EOP ends with its delivery.
  if (hop.last ? hop.length == hop.data_length : !hop.discarded) return;
  if (hop.due.drained_ps == ps) return;
  hop.due.drained_ps = ps;
  if (ps >= 0) schedule(Due::end_drain, hop, ps);
}

void Network::end_drain(Packet& packet, Hop& hop) {
  account_for_release(hop, queue_.now_ps());
  if (has_exclusive_vcs_) empty(hop);
  if (hop.last && !hop.cut)
    close(packet, hop);
  else if (Endpoint* source = ports_[packet.source].endpoint; source != nullptr)
    source->lost(packet);
  end_loose(hop);
}

/// A packet that cannot leave its NIC.
void Network::lose(Packet& packet) {
  count_loss(packet, layout_.nics[nic_of(packet)].out, 0);
  if (Endpoint* endpoint = ports_[packet.source].endpoint; endpoint != nullptr) endpoint->lost(packet);
  packet.payload.reset();
  packet.descend = nullptr;
  --in_flight_;
  free_packets_.push_back(&packet);
}

/// @param channel, step  where it is, and the step of its route that the switch at the end would take
void Network::count_loss(Packet& packet, int channel, std::int32_t step) {
  packet.lost = true;
  ++lost_;
  if (packet_observer_ == nullptr) return;
  std::vector<int> hosts;
  if (packet.descend)
    add_hosts_behind(packet, channel, step, hosts);
  else
    hosts.push_back(packet.destination);
  packet_observer_->packet_lost(packet, hosts, now());
}

/// The hosts of a broadcast that are reached over a channel.
void Network::add_hosts_behind(const Packet& packet, int channel, std::int32_t step, std::vector<int>& hosts) const {
  const Terminal to = wiring_->channels[channel].to;
  if (to.kind == Terminal::Kind::nic) return hosts.push_back(to.unit);
  const auto& unit = wiring_->switches[to.unit];
  int first = 0, count = 1;  // of a repeater
  if (!unit.repeater && step >= static_cast<std::int32_t>(packet.route.steps.size()))
    std::tie(first, count) = packet.descend(to.unit);
  else if (!unit.repeater)
    first = packet.route.steps[step++].port;  // all of a group lead to the same hosts
  for (int port = first; port < first + count; ++port)
    if (unit.out[port] >= 0) add_hosts_behind(packet, unit.out[port], step, hosts);
}

}  // namespace sanvp::net
