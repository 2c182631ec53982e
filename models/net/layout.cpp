#include "models/net/layout.hpp"

namespace sanvp::net {

Layout Layout::of(const Wiring& wiring, std::pmr::memory_resource& memory) {
  Layout layout(memory);
  layout.channels.reserve(wiring.channels.size());
  for (const Wiring::Channel& channel : wiring.channels) {
    const bool to_switch = channel.to.kind == Terminal::Kind::switch_;
    Channel& packed = layout.channels.emplace_back();
    packed.from = channel.from.unit;
    packed.from_nic = channel.from.kind == Terminal::Kind::nic;
    packed.special = channel.rules.bit_error_rate > 0 || channel.failed ||
                     (to_switch && wiring.switches[channel.to.unit].rules.store_and_forward);
    packed.to = channel.to.unit;
    packed.to_nic = !to_switch;
    packed.from_port = static_cast<std::int16_t>(channel.from.port);
    packed.to_port = static_cast<std::int16_t>(channel.to.port);
    const Time back = channel.reverse >= 0 ? wiring.channels[channel.reverse].rules.control_hop : Time{0};
    layout.answer_hop_ps.push_back(back.count());
  }
  for (const Wiring::Switch& unit : wiring.switches) {
    layout.switches.push_back({.routing_ps = unit.rules.routing.count(),
                               .setup_ps = unit.rules.setup.count(),
                               .first_out = static_cast<std::int32_t>(layout.outs.size()),
                               .ports = static_cast<std::int16_t>(unit.out.size()),
                               .repeater = unit.repeater,
                               .software_router = unit.rules.software_router,
                               .marks = unit.rules.marking.threshold > 0});
    layout.outs.insert(layout.outs.end(), unit.out.begin(), unit.out.end());
  }
  for (const Wiring::Nic& nic : wiring.nics)
    layout.nics.push_back({.gap_ps = nic.rules.gap.count(),
                           .acknowledge_ps = nic.rules.acknowledge.count(),
                           .out = nic.out,
                           .slots = nic.rules.slots,
                           .gap_from = nic.rules.gap_from,
                           .circuit = nic.rules.circuit,
                           .answers = nic.rules.answers});
  return layout;
}

}  // namespace sanvp::net
