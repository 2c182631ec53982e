/// Networks whose hosts have several ports: planes, which are networks of their own, or several cables of a host to one
/// network (rails).
#pragma once

#include "topologies/failures.hpp"
#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// `planes` networks as `plane`, to each of which each host has a port: port p is in plane p. Switches and links of a
/// plane come after those of the planes before it, in the order of `plane`.
Graph with_planes(Graph plane, int planes);

/// The same network, of which `ports` adjacent hosts are the ports of one. Their number is a multiple of `ports`.
Graph with_ports(Graph cards, int ports);

/// What routings for one port of the hosts are built for: a plane, or the whole with a host for each port.
/// @param working  a graph whose hosts have several ports, perhaps without cables that have failed
Graph network_of_port(const Graph& working, int port);
/// The failures in it, by its numbers.
Failures failures_of_port(const Graph& graph, int port, const Failures& failures);

}  // namespace sanvp::topologies
