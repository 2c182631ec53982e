#include "platform/traffic/blocking.hpp"

#include <algorithm>

namespace sanvp::traffic {
namespace {

bool granted_by_switch(const net::Leg& leg) { return leg.up != nullptr && leg.requested_ps >= 0; }
std::int64_t effective_of(const net::Leg& leg) { return leg.granted_ps - leg.requested_ps; }
std::int64_t head_of(const net::Leg& leg) { return leg.granted_ps - leg.up->header_arrival_ps; }

}  // namespace

void Blocking::add(const net::Leg& leg) {
  ++headers;
  effective_ps += effective_of(leg);
  head_ps += head_of(leg);
  longest_ps = std::max(longest_ps, effective_of(leg));
  delay_ps += leg.up->header_arrival_ps - leg.packet->injected.count();
}

void Blocking::merge(const Blocking& other) {
  headers += other.headers;
  effective_ps += other.effective_ps;
  head_ps += other.head_ps;
  longest_ps = std::max(longest_ps, other.longest_ps);
  delay_ps += other.delay_ps;
}

void LinkBlocking::leg_over(const net::Leg& leg, Time released) {
  if (granted_by_switch(leg) && released >= from_ && released < until_) by_channel_[leg.up->channel].add(leg);
}

void BlockingObserver::leg_over(const net::Leg& leg, Time released) {
  const auto index = static_cast<std::uint32_t>(leg.packet->tag);
  PacketRecord* record = index < ledger_.packets.size() ? &ledger_.packets[index] : nullptr;
  if (record != nullptr && record->packet_id != leg.packet->id) record = nullptr;
  if (counting_) links_.leg_over(leg, released);
  if (record != nullptr && granted_by_switch(leg)) {
    record->blocked_ps += effective_of(leg);
    record->head_blocked_ps += head_of(leg);
  }
  if (!leg.last || record == nullptr) return;
  record->released = true;
  if (!record->delivered) return;
  packet_over_(*record);
  record->packet_id = UINT64_MAX;
  ledger_.packets.remove(index);
}

}  // namespace sanvp::traffic
