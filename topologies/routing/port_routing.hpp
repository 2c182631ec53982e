/// A routing for hosts with several ports, of routings for one port each.
#pragma once

#include <memory>
#include <vector>

#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A packet leaves by a port of its source and arrives by the port of the same number: in the same plane, or on the
/// same rail. Alternatives are those of port 0, then those of port 1, ...
/// @param ports  for each, a routing of network_of_port (host_ports.hpp), of the same kind
std::unique_ptr<Routing> port_routing(const Graph& graph, std::vector<std::shared_ptr<const Routing>> ports);

}  // namespace sanvp::topologies
