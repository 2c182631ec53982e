#include "platform/machine/hop_trace.hpp"

namespace sanvp {

HopTrace::HopTrace(net::Network& network, const std::string& path, Trace::Window window)
    : network_(network), trace_(path, window) {
  network_.observe(this);
}

HopTrace::~HopTrace() { network_.observe(nullptr); }

Trace::Track HopTrace::track(const net::Leg& leg) {
  const net::Wiring& wiring = network_.wiring();
  const auto& [kind, unit, port] = wiring.channels[leg.channel].from;
  const std::string lane = " vc " + std::to_string(leg.vc);
  if (kind == net::Terminal::Kind::nic) return trace_.track(wiring.nics[unit].name, "out" + lane);
  return trace_.track(wiring.switches[unit].name, "port " + std::to_string(port) + lane);
}

void HopTrace::leg_over(const net::Leg& leg, Time released) {
  const Time begin{leg.header_start_ps >= 0 ? leg.header_start_ps : leg.granted_ps};
  if (!trace_.wants(begin, released)) return;
  const net::Packet& packet = *leg.packet;
  const Trace::Track track = this->track(leg);
  trace_.slice(track, "packet " + std::to_string(packet.id), begin, released,
               {{"source", packet.source},
                {"destination", packet.destination},
                {"flits", leg.length},
                {"granted_ps", leg.granted_ps}});
  if (leg.last)
    trace_.flow_end(track, packet.id, begin);
  else
    trace_.flow(track, packet.id, begin);
}

}  // namespace sanvp
