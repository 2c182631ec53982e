/// Channels that fail and are repaired, and the packets that are on them (TIMING.md, "Outages").

#include "models/net/network.hpp"

namespace sanvp::net {

void Network::fail(int channel) {
  if (wiring_.channels[channel].failed) return;
  wiring_.channels[channel].failed = true;
  layout_.channels[channel].special = true;
  for (Hop& hop : hops_)
    if (hop.channel == channel && is_on_its_channel(hop)) cut(hop);
  const Terminal from = wiring_.channels[channel].from;
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

/// Storage that waits to be used again owns nothing. The release of a quiet hop may be over without having been
/// counted.
bool Network::is_on_its_channel(const Hop& hop) const {
  return hop.owner && !(hop.quiet && hop.release_at_ps <= queue_.now_ps());
}

/// With the hops that it feeds, but for those whose data have been delivered.
void Network::cut(Hop& hop) {
  if (hop.last && hop.arrive_at_ps == happened) return;
  hop.cut = true;
  if (hop.fork != nullptr)
    for (Hop* branch : hop.fork->branches) cut(*branch);
  else if (hop.down != nullptr && hop.down->up == &hop)  // else it is over, and perhaps another packet's by now
    cut(*hop.down);
}

/// In the place of a delivery: the last data flit of a cut worm has come. It is drained like any other.
void Network::find_spoilt(Hop& hop) {
  Packet& packet = *hop.packet;
  count_loss(packet);
  if (hop.length != hop.data_length) return acknowledge_from(hop);  // the source hears of it with the EOP, too
  if (Endpoint* source = ports_[packet.source].endpoint; source != nullptr) source->lost(packet);
  end_loose(hop);
}

void Network::count_loss(Packet& packet) {
  packet.lost = true;
  ++lost_;
  if (packet_observer_ != nullptr) packet_observer_->packet_lost(packet, now());
}

}  // namespace sanvp::net
