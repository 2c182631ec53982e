#include "platform/machine/cards.hpp"

namespace sanvp {

net::Wiring wiring_for_cards(const Machine& machine) {
  net::Wiring wiring = machine.wiring();
  const bool has_cards = static_cast<bool>(machine.nic().make_module);
  for (auto& nic : wiring.nics) {
    nic.rules.answers = has_cards && nic.rules.circuit;
    nic.rules.forwards = has_cards;
    nic.rules.gap = machine.nic().card_gap.value_or(nic.rules.gap);
    if (has_cards && machine.nic().card_drops_when_full) nic.rules.full_pool = net::FullPool::drops;
  }
  return wiring;
}

nic::NicContext card_context(const Machine& machine, const topologies::Routing& routing, net::Timeline& timeline,
                             int node) {
  const int first_port = node * machine.nic().ports;
  return {.host = first_port,
          .graph = machine.graph(),
          .working_graph = &machine.working_graph(),
          .routing = routing,
          .timeline = timeline,
          .flit_time = machine.flit_time_in(first_port),
          .seed = machine.seed()};
}

}  // namespace sanvp
