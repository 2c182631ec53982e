/// Channels that fail and are repaired, and the packets that are on them (TIMING.md, "Outages").

#include <tuple>

#include "models/net/network.hpp"

namespace sanvp::net {

void Network::fail(int channel) {
  if (wiring_.channels[channel].failed) return;
  wiring_.channels[channel].failed = true;
  layout_.channels[channel].special = true;
  for (Leg& leg : legs_)
    if (leg.channel == channel && is_on_its_channel(leg)) cut(leg);
  const Terminal from = wiring_.channels[channel].from;
  if (from.kind == Terminal::Kind::nic) {
    wake_nic(from.unit);
    return;
  }
  std::vector<Leg*> cut_off;
  crossbars_[from.unit].fail(from.port, cut_off);
  for (Leg* leg : cut_off) discard(*leg);
  wake_switch(from.unit);
}

void Network::repair(int channel) {
  if (!wiring_.channels[channel].failed) return;
  wiring_.channels[channel].failed = false;
  const Terminal from = wiring_.channels[channel].from;
  if (from.kind == Terminal::Kind::nic) {
    wake_nic(from.unit);
  } else {
    crossbars_[from.unit].repair(from.port);
    wake_switch(from.unit);
  }
}

/// Storage that waits to be used again owns nothing. The release of a quiet leg may be over without having been
/// counted.
bool Network::is_on_its_channel(const Leg& leg) const {
  return leg.owner && !(leg.quiet && leg.release_at_ps <= queue_.now_ps());
}

/// With the legs that it feeds, but for those whose data have been delivered.
void Network::cut(Leg& leg) {
  if (leg.last && leg.arrive_at_ps == happened) return;
  leg.cut = true;
  if (leg.fork != nullptr)
    for (Leg* branch : leg.fork->branches) cut(*branch);
  else if (leg.down != nullptr && leg.down->up == &leg)  // else it is over, and perhaps another packet's by now
    cut(*leg.down);
}

/// In the place of a delivery: the last data flit of a cut worm has come. It is drained like any other.
void Network::find_spoilt(Leg& leg) {
  Packet& packet = *leg.packet;
  count_loss(packet, leg.channel, leg.step);
  if (leg.length != leg.data_length) return acknowledge_from(leg);  // the source hears of it with the EOP, too
  if (Endpoint* source = ports_[packet.source].endpoint; source != nullptr) source->lost(packet);
  end_loose(leg);
}

/// @param channel, step  on which it is, and which step of its route the switch there would take
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

/// Those of a broadcast's that it would have come to over a channel.
void Network::add_hosts_behind(const Packet& packet, int channel, std::int32_t step, std::vector<int>& hosts) const {
  const Terminal to = wiring_.channels[channel].to;
  if (to.kind == Terminal::Kind::nic) return hosts.push_back(to.unit);
  const auto& unit = wiring_.switches[to.unit];
  int first = 0, count = 1;  // of a repeater
  if (!unit.repeater && step >= static_cast<std::int32_t>(packet.route.steps.size()))
    std::tie(first, count) = packet.descend(to.unit);
  else if (!unit.repeater)
    first = packet.route.steps[step++].port;  // all of a group lead to the same hosts
  for (int port = first; port < first + count; ++port)
    if (unit.out[port] >= 0) add_hosts_behind(packet, unit.out[port], step, hosts);
}

}  // namespace sanvp::net
