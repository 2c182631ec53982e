/// Channels that fail and are repaired, and the packets that are on them (TIMING.md, "Outages").

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
  count_loss(packet);
  if (leg.length != leg.data_length) return acknowledge_from(leg);  // the source hears of it with the EOP, too
  if (Endpoint* source = ports_[packet.source].endpoint; source != nullptr) source->lost(packet);
  end_loose(leg);
}

void Network::count_loss(Packet& packet) {
  packet.lost = true;
  ++lost_;
  if (packet_observer_ != nullptr) packet_observer_->packet_lost(packet, now());
}

}  // namespace sanvp::net
