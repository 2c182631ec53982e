#include "platform/machine/router_load.hpp"

#include <algorithm>

#include "models/net/hop.hpp"

namespace sanvp {

RouterLoad::RouterLoad(const net::Wiring& wiring, const std::vector<std::unique_ptr<host::Node>>& nodes) {
  using Kind = net::Terminal::Kind;
  if (std::none_of(wiring.switches.begin(), wiring.switches.end(),
                   [](const auto& router) { return router.rules.software_router; }))
    return;
  routers_.resize(wiring.switches.size());
  for (std::size_t i = 0; i < wiring.nics.size(); ++i) {
    const net::Terminal& router = wiring.channels[wiring.nics[i].out].to;
    if (router.kind != Kind::switch_ || !wiring.switches[router.unit].rules.software_router) continue;
    routers_[router.unit] = {nodes[i].get(), wiring.switches[router.unit].rules.routing};
  }
  for (const auto& channel : wiring.channels)
    from_switch_.push_back(channel.from.kind == Kind::switch_ ? channel.from.unit : -1);
}

/// Called when the packet has left; the processor worked on it before the packet requested its output.
void RouterLoad::hop_over(const net::Hop& hop, Time) {
  const int from = from_switch_[hop.channel];
  if (from < 0 || routers_[from].node == nullptr || hop.requested_ps < 0) return;
  Router& router = routers_[from];
  ++router.packets;
  const Time asked{hop.requested_ps};
  router.node->preempt(asked - router.routing, asked);
}

void RouterLoad::report(StatisticsTable& statistics) const {
  for (std::size_t i = 0; i < routers_.size(); ++i) {
    if (routers_[i].node == nullptr) continue;
    const std::string path = "router " + std::to_string(i);
    statistics.add(path, "packets", "1", routers_[i].packets);
    statistics.add(path, "processor_ns", "ns", in_ns(routers_[i].packets * routers_[i].routing));
  }
}

}  // namespace sanvp
