#include "models/nic/lanai/packet_interface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/nic/lanai/crc8.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::lanai {

PacketInterface::Rules PacketInterface::Rules::read(const Parameters& parameters, Time detect) {
  const std::int64_t uncounted = parameters.size(
      "uncounted", 0,
      "bytes of a packet's header that take no time on the wire; if above 0, route and CRC take none either",
      "0: as it is; 24 is GM's header (FACTS 2.2), for comparison with `sanvp traffic`");
  constexpr std::int64_t most = 4096;  // bytes of a message in a packet, sw/gm/lcp.h
  return {.detect = detect, .uncounted = static_cast<int>(std::min(uncounted, most))};
}

// ---- SEND ----

void PacketInterface::send(std::span<const std::uint8_t> route, std::span<const std::byte> bytes) {
  sending_ = true;
  begun_ = at_.clock.now();
  const auto way = follow(at_.graph, host_, route);
  const int flits = flits_of(bytes.size(), way ? way->bytes : static_cast<int>(route.size()));
  at_.counters.count(Counter::packets_sent);
  at_.counters.count(Counter::bytes_sent, bytes.size() + LANAI_CRC_BYTES);
  if (!way) {
    // It leads to an unconnected port; the first switch with such a byte drops it.
    at_.counters.count(Counter::packets_misrouted);
    swallowing_.emplace(swallow(flits));
    swallowing_->start(at_.clock);
    return;
  }
  net::Packet& packet = at_.network->make_packet();
  packet.destination = way->destination;
  packet.route = way->route;
  if (rules_.uncounted > 0)
    for (topologies::Step& step : packet.route.steps) step.strip = 0;
  packet.flits = flits;
  packet.payload = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
  packet.payload->push_back(std::byte{crc8(bytes)});
  at_.network->send(packet, ahead());
}

int PacketInterface::flits_of(std::size_t bytes, int route_bytes) const {
  const int own = static_cast<int>(bytes);
  if (rules_.uncounted > 0) return std::max(1, own - rules_.uncounted);
  return route_bytes + own + static_cast<int>(LANAI_CRC_BYTES);
}

net::Task<> PacketInterface::swallow(int flits) {
  co_await at_.clock.after(flits * flit_time_);
  over();
}

void PacketInterface::sent(net::Packet& packet, const sc_core::sc_time&) {
  at_.selection.sent(packet.injected, at_.clock.now(), packet.flits * flit_time_);
  if (at_.tracks.wants(begun_, at_.clock.now()))
    at_.tracks.slice(Tracks::Unit::send, fmt::format("packet {} to {}", packet.id, packet.destination), begun_,
                     at_.clock.now(), {{"bytes", packet.flits}});
  over();
}

/// A packet that was lost on its way has left already. If a failed first cable did not take it, it never leaves: the
/// send is over.
void PacketInterface::lost(net::Packet& packet, const sc_core::sc_time&) {
  at_.counters.count(Counter::packets_lost);
  if (packet.injected == never) over();
}

void PacketInterface::over() {
  sending_ = false;
  at_.events.raise(LANAI_EVENT_SEND);
}

// ---- RECV ----

void PacketInterface::delivered(net::Packet& packet, const sc_core::sc_time&) {
  if (packet.payload == nullptr || packet.payload->size() <= LANAI_CRC_BYTES) return;
  const std::span<const std::byte> all(*packet.payload);
  const auto bytes = all.first(all.size() - LANAI_CRC_BYTES);
  const bool intact = crc8(bytes) == std::to_integer<std::uint8_t>(all.back());
  if (!intact) at_.counters.count(Counter::crc_errors);
  const Time in = at_.clock.now();
  if (const Time begin = in - static_cast<std::int64_t>(all.size()) * flit_time_; at_.tracks.wants(begin, in))
    at_.tracks.slice(Tracks::Unit::recv, fmt::format("packet {} from {}", packet.id, packet.source), begin, in,
                     {{"bytes", static_cast<std::int64_t>(all.size())}, {"corrupt", intact ? 0 : 1}});
  if (armed_.empty()) {
    at_.counters.count(Counter::packets_without_buffer);
    return;
  }
  const Buffer buffer = armed_.front();
  armed_.pop_front();
  const std::size_t size = std::min(bytes.size(), buffer.memory.size());
  std::copy_n(bytes.begin(), size, buffer.memory.begin());
  at_.counters.count(Counter::packets_received);
  at_.counters.count(Counter::bytes_received, all.size());
  received_.push_back({buffer.address, static_cast<std::uint32_t>(size), intact && size == bytes.size()});
  at_.events.raise(LANAI_EVENT_RECV);
}

bool PacketInterface::take(Received& received) {
  if (received_.empty()) return false;
  received = received_.front();
  received_.pop_front();
  if (received_.empty()) at_.events.clear(LANAI_EVENT_RECV);
  return true;
}

// ---- in-transit packets ----

void PacketInterface::in_transit(net::Packet& packet, const sc_core::sc_time&) {
  const Time detected = at_.clock.now();
  in_transit_.push_back({&packet, detected});
  at_.tracks.slice(Tracks::Unit::in_transit, fmt::format("detect packet {}", packet.id), detected - rules_.detect,
                   detected);
  at_.events.raise(LANAI_EVENT_IN_TRANSIT);
}

void PacketInterface::send_on() {
  const auto [packet, detected] = in_transit_.front();
  in_transit_.pop_front();
  if (in_transit_.empty()) at_.events.clear(LANAI_EVENT_IN_TRANSIT);
  at_.counters.count(Counter::packets_in_transit);
  at_.tracks.slice(Tracks::Unit::in_transit, fmt::format("reprogram for packet {}", packet->id), detected,
                   at_.clock.now());
  at_.network->forward(*packet);
}

std::vector<CardQueue> PacketInterface::queues() const {
  CardQueue armed{"armed buffers"}, received{"received packets"}, transit{"in-transit packets"};
  for (const Buffer& buffer : armed_)
    armed.entries.push_back(QueueEntry().add_address("sram", buffer.address).add("bytes", buffer.memory.size()));
  for (const Received& packet : received_)
    received.entries.push_back(
        QueueEntry().add_address("sram", packet.buffer).add("bytes", packet.bytes).add("intact", packet.intact));
  for (const Transit& waiting : in_transit_)
    transit.entries.push_back(QueueEntry()
                                  .add("packet", waiting.packet->id)
                                  .add("to", waiting.packet->destination)
                                  .add("detected_ns", waiting.detected));
  return {armed, received, transit};
}

}  // namespace sanvp::nic::lanai
