/// Packets in transit at a host: the NIC takes them out of the network into its pool and sends them on (TIMING.md,
/// "In-transit re-injection" and "Pool"). The way leads from header_at_front to start_packets (network_walk.cpp).

#include <algorithm>
#include <stdexcept>

#include "models/net/network.hpp"

namespace sanvp::net {

/// Headers that reached a software router or an in-transit NIC in this instant, by channel and virtual channel: their
/// order must not depend on the order in which the flow reported them.
void Network::serve_fronts() {
  std::sort(fronts_.begin(), fronts_.end(), [](const Hop* a, const Hop* b) { return a->vc_index < b->vc_index; });
  serves_fronts_ = true;
  for (std::size_t i = 0; i < fronts_.size(); ++i) {  // more may be added behind packets that are discarded
    Hop& hop = *fronts_[i];
    const Terminal to = wiring_->channels[hop.channel].to;
    if (to.kind == Terminal::Kind::nic) {
      ports_[to.unit].pool_waiting.push_back(&hop);
      full_pools_.push_back(to.unit);
    } else {
      route_in_software(hop, to.unit);
    }
  }
  serves_fronts_ = false;
  fronts_.clear();
  std::sort(full_pools_.begin(), full_pools_.end());
  for (std::size_t i = 0; i < full_pools_.size(); ++i) admit_in_transit(full_pools_[i]);
  full_pools_.clear();
}

/// One processor routes in software, a header at a time. If it takes no time, the header requests in this update: as an
/// event, it would come after the channels' turn.
void Network::route_in_software(Hop& hop, int unit) {
  std::int64_t& free_ps = processor_free_ps_[unit];
  free_ps = std::max(free_ps, queue_.now_ps()) + wiring_->switches[unit].rules.routing.count();
  if (free_ps == queue_.now_ps()) return request(*hop.packet, hop);
  hop.due.request_ps = free_ps;
  schedule(Due::request, hop, free_ps);
}

/// Packets that the pool has room for leave the network.
void Network::admit_in_transit(int nic) {
  const NicRules& rules = wiring_->nics[nic].rules;
  NicPort& port = ports_[nic];
  while (!port.pool_waiting.empty()) {
    Hop& hop = *port.pool_waiting.front();
    const bool fits = port.pool_used + hop.length <= rules.pool_flits;
    if (!fits && rules.full_pool == FullPool::holds_back) return;
    port.pool_waiting.pop_front();
    if (!fits && rules.full_pool == FullPool::drops) {
      discard(hop);
      continue;
    }
    port.pool_used += hop.length;
    port.spilled += fits ? 0 : 1;
    port.pool_most = std::max(port.pool_most, port.pool_used);
    flow_->drain(hop);
    // Several may be admitted in one instant: they are detected in the order in which they were.
    queue_.schedule({.ps = queue_.now_ps() + rules.detect.count(),
                     .handler = this,
                     .subject = &hop,
                     .serial = hop.serial,
                     .kind = kind_of(Due::detect),
                     .unit = admitted_++});
  }
}

/// The NIC has recognised an admitted packet, and sets up its send DMA.
void Network::detect(Packet& packet, Hop& hop) {
  const int nic = layout_.channels[hop.channel].to;
  if (wiring_->nics[nic].rules.forwards) {
    ports_[nic].in_transit.push_back({&hop, never.count()});
    if (ports_[nic].endpoint != nullptr) ports_[nic].endpoint->in_transit(packet, nic);
    return;
  }
  const std::int64_t ready = queue_.now_ps() + wiring_->nics[nic].rules.reprogram.count();
  ports_[nic].in_transit.push_back({&hop, ready});
  queue_.schedule(
      {.ps = ready, .handler = this, .kind = kind_of(Due::wake_nic), .unit = static_cast<std::uint32_t>(nic)});
}

void Network::forward(Packet& packet, int host) {
  for (NicPort::InTransit& one : ports_[host].in_transit) {
    if (one.arriving->packet != &packet || one.ready_ps <= queue_.now_ps()) continue;
    one.ready_ps = queue_.now_ps();
    return wake_nic(host);
  }
  throw std::logic_error("a packet is forwarded that is not in transit here");
}

}  // namespace sanvp::net
