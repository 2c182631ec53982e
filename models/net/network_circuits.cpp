/// Circuits: the acknowledgement goes back, and the EOP follows the data (TIMING.md, "Circuit").

#include <algorithm>
#include <stdexcept>

#include "models/net/network.hpp"

namespace sanvp::net {

/// Starts the acknowledgement of a circuit at the far end of its last hop, or of the hop where it is discarded.
void Network::acknowledge_from(Hop& last) {
  const Layout::Channel& end = layout_.channels[last.channel];
  std::int64_t ps = queue_.now_ps();
  if (end.to_nic) ps += layout_.nics[end.to].acknowledge_ps;
  Hop* hop = &last;
  for (;;) {
    const Time from{ps};
    ps += layout_.answer_hop_ps[hop->channel];
    if (flit_observer_ != nullptr) flit_observer_->acknowledgement_passes(*hop, from, Time{ps});
    flow_->fetch(hop->channel, hop->vc_index);  // the EOP comes this way soon
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
  schedule(Due::acknowledged, *hop, ps);
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

/// The acknowledgement has come back to the source, which may send the EOP.
void Network::acknowledged(Packet& packet, Hop& source) {
  ++progress_;
  if (Endpoint* endpoint = ports_[packet.source].endpoint; endpoint != nullptr) endpoint->acknowledged(packet);
  flow_->acknowledge(source);
}

/// The EOP has arrived.
void Network::close(Packet& packet, const Hop& hop) {
  const int host = layout_.channels[hop.channel].to;
  if (layout_.nics[host].answers && ports_[host].endpoint != nullptr) ports_[host].endpoint->closed(packet);
}

}  // namespace sanvp::net
