/// The network's wiring for card models, and the context of each card.
#pragma once

#include "models/net/timeline.hpp"
#include "models/net/wiring.hpp"
#include "models/nic/module.hpp"
#include "platform/machine/machine.hpp"

namespace sanvp {

/// The machine's network with card models at its hosts. They answer packets and forward them themselves;
/// Machine::wiring answers for hosts without one.
net::Wiring wiring_for_cards(const Machine& machine);

/// The context of the card of node `node`, without firmware and trace.
/// @param routing  in force: those of the machine, if nothing fails during the run
nic::NicContext card_context(const Machine& machine, const topologies::Routing& routing, net::Timeline& timeline,
                             int node);

}  // namespace sanvp
