/// Up*/down* routing (FACTS.md 2.4): a worm goes up any number of channels, then down any number, never up again.
#pragma once

#include <memory>

#include "topologies/routing/source_routes.hpp"

namespace sanvp::topologies {

/// UD: the shortest legal paths, one per pair of hosts, balanced.
std::unique_ptr<RouteTable> up_down(const Graph& graph, const SourceRouteOptions& options = {});

}  // namespace sanvp::topologies
