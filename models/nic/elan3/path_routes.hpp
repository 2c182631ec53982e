/// Routes through networks other than fat trees: the output port of each switch, as in Myrinet.
#pragma once

#include <memory>
#include <vector>

#include "models/nic/elan3/routes.hpp"

namespace sanvp::nic::elan3 {

/// The path from a host through these ports; null if it does not end at another host. If the machine's routing takes
/// the same path, each hop uses the virtual channel that the routing chooses; otherwise any.
std::unique_ptr<Way> path_way(const RouteNetwork& network, int source, const std::vector<RouteElement>& elements);

}  // namespace sanvp::nic::elan3
