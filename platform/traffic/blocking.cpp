#include "platform/traffic/blocking.hpp"

#include <algorithm>

#include "models/net/hop.hpp"

namespace sanvp::traffic {
namespace {

bool granted_by_switch(const net::Hop& hop) { return hop.up != nullptr && hop.requested_ps >= 0; }
std::int64_t effective_of(const net::Hop& hop) { return hop.granted_ps - hop.requested_ps; }
std::int64_t head_of(const net::Hop& hop) { return hop.granted_ps - hop.up->header_arrival_ps; }

}  // namespace

void Blocking::add(const net::Hop& hop) {
  ++headers;
  effective_ps += effective_of(hop);
  head_ps += head_of(hop);
  longest_ps = std::max(longest_ps, effective_of(hop));
  delay_ps += hop.up->header_arrival_ps - hop.packet->injected.count();
}

void Blocking::merge(const Blocking& other) {
  headers += other.headers;
  effective_ps += other.effective_ps;
  head_ps += other.head_ps;
  longest_ps = std::max(longest_ps, other.longest_ps);
  delay_ps += other.delay_ps;
}

void LinkBlocking::hop_over(const net::Hop& hop, Time released) {
  if (granted_by_switch(hop) && released >= from_ && released < until_) by_channel_[hop.up->channel].add(hop);
}

void BlockingObserver::hop_over(const net::Hop& hop, Time released) {
  const auto index = static_cast<std::uint32_t>(hop.packet->tag);
  PacketRecord* record = index < ledger_.packets.size() ? &ledger_.packets[index] : nullptr;
  if (record != nullptr && record->packet_id != hop.packet->id) record = nullptr;
  if (counting_) links_.hop_over(hop, released);
  if (record != nullptr && granted_by_switch(hop)) {
    record->blocked_ps += effective_of(hop);
    record->head_blocked_ps += head_of(hop);
  }
  if (!hop.last || record == nullptr) return;
  record->released = true;
  if (!record->delivered) return;
  packet_over_(*record);
  record->packet_id = UINT64_MAX;
  ledger_.packets.remove(index);
}

}  // namespace sanvp::traffic
