#include "models/net/hop_trace.hpp"

#include <string>

#include "models/net/hop.hpp"

namespace sanvp::net {

HopTrace::HopTrace(const Wiring& wiring, Trace& trace) : wiring_(wiring), trace_(trace) {
  for (const auto& channel : wiring.channels) tracks_.emplace_back(channel.rules.virtual_channels);
}

Trace::Track HopTrace::track(int channel, int vc) {
  auto& known = tracks_[channel][vc];
  if (!known) {
    const auto& from = wiring_.channels[channel].from;
    const bool is_nic = from.kind == Terminal::Kind::nic;
    const std::string& unit = is_nic ? wiring_.nics[from.unit].name : wiring_.switches[from.unit].name;
    known = trace_.track(unit, "port " + std::to_string(from.port) + " vc " + std::to_string(vc));
  }
  return *known;
}

void HopTrace::hop_over(const Hop& hop, Time released) {
  const Time granted{hop.granted_ps};
  if (!trace_.wants(granted, released)) return;
  const Packet& packet = *hop.packet;
  const Trace::Track row = track(hop.channel, hop.vc);
  trace_.slice(row,
               "packet " + std::to_string(packet.id) + " (" + std::to_string(packet.source) + " to " +
                   std::to_string(packet.destination) + ")",
               granted, released, {{"flits", hop.length}, {"header_start_ps", hop.header_start_ps}});
  // If the NIC answers by itself, its model draws the arrow to its end.
  if (hop.last && !wiring_.nics[wiring_.channels[hop.channel].to.unit].rules.answers)
    trace_.flow_end(row, packet.id, granted);
  else
    trace_.flow(row, packet.id, granted);
}

}  // namespace sanvp::net
