#include "models/nic/ds_link/routes.hpp"

#include "platform/core/error.hpp"

namespace sanvp::nic::ds_link {

using topologies::Route;

bool Routes::find(int node, Route& route) {
  const topologies::Routing& routing = switches_.routing;
  const int alternatives = routing.alternatives(host_, node);
  if (alternatives == 0) {  // unreachable: packets for it are lost
    route = {};
    return true;
  }
  if (switches_.control != nullptr) {
    const std::uint32_t header = static_cast<std::uint32_t>(node) * switches_.header_links;
    if (!switches_.control->walk(host_, node, header, random_, route)) return false;
    if (!checked_[node]) check(node, route);
    return true;
  }
  const int chosen =
      routing.random_alternative() ? static_cast<int>(random_.below(static_cast<std::uint64_t>(alternatives))) : 0;
  routing.route(host_, node, chosen, route);
  return true;
}

void Routes::check(int node, Route route) {
  checked_[node] = true;
  const topologies::Routing& routing = switches_.routing;
  Route meant;
  for (int i = 0; i < routing.alternatives(host_, node); ++i) {
    routing.route(host_, node, i, meant);
    route.steps.back().strip = meant.steps.back().strip;  // header deletion does not change the path
    if (route == meant) return;
  }
  throw UserError("nic.configure",
                  "the tables that node 0 loads lead from node " + std::to_string(host_) + " to node " +
                      std::to_string(node) + " another way than [routing], for which the proof was made",
                  "give nic.configure=no: the switches then route as [routing] says, by themselves");
}

}  // namespace sanvp::nic::ds_link
