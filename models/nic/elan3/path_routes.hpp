/// Routes through networks that are no fat tree: the output port of each switch, as Myrinet's are.
#pragma once

#include <memory>
#include <vector>

#include "models/nic/elan3/routes.hpp"

namespace sanvp::nic::elan3 {

/// The way that leads from a host through these ports; null where it is none to another host. Where the machine's
/// routing goes the same way, each hop uses the virtual channel that the routing names; else any.
std::unique_ptr<Way> path_way(const RouteNetwork& network, int source, const std::vector<RouteElement>& elements);

}  // namespace sanvp::nic::elan3
