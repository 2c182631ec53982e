#include "models/net/layout.hpp"

namespace sanvp::net {

Layout Layout::of(const Wiring& wiring, const std::vector<int>& first_lane) {
  Layout layout;
  for (std::size_t c = 0; c < wiring.channels.size(); ++c) {
    const Wiring::Channel& channel = wiring.channels[c];
    const bool to_switch = channel.to.kind == Terminal::Kind::switch_;
    layout.channels.push_back({.flit_ps = channel.rules.flit_time.count(),
                               .tail_ps = channel.rules.tail_time.count(),
                               .from = channel.from.unit,
                               .to = channel.to.unit,
                               .first_lane = first_lane[c],
                               .from_port = static_cast<std::int16_t>(channel.from.port),
                               .to_port = static_cast<std::int16_t>(channel.to.port),
                               .lanes = static_cast<std::uint8_t>(channel.rules.virtual_channels),
                               .from_nic = channel.from.kind == Terminal::Kind::nic,
                               .to_nic = !to_switch,
                               .special = channel.rules.bit_error_rate > 0 ||
                                          (to_switch && wiring.switches[channel.to.unit].rules.store_and_forward)});
  }
  for (const Wiring::Switch& unit : wiring.switches) {
    layout.switches.push_back({.routing_ps = unit.rules.routing.count(),
                               .setup_ps = unit.rules.setup.count(),
                               .first_out = static_cast<std::int32_t>(layout.outs.size()),
                               .ports = static_cast<std::int16_t>(unit.out.size()),
                               .repeater = unit.repeater,
                               .software_router = unit.rules.software_router});
    layout.outs.insert(layout.outs.end(), unit.out.begin(), unit.out.end());
  }
  return layout;
}

}  // namespace sanvp::net
