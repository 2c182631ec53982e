/// Minimal routing through in-transit hosts (Myrinet paper; FACTS.md 2.4). If a shortest path would go up after it went
/// down, a host of that switch takes the packet out of the network and sends it on. That removes the dependency between
/// the two channels: each part of the path is a legal up*/down* path, and there is no deadlock as long as the host
/// takes every packet out of the network (CheckOptions::pools_hold_back).
#pragma once

#include <memory>

#include "topologies/routing/source_routes.hpp"

namespace sanvp::topologies {

/// UD_MITB: shortest paths with the fewest in-transit hosts, balanced.
std::unique_ptr<RouteTable> ud_mitb(const Graph& graph, const SourceRouteOptions& options = {});

/// UD_ITB: any shortest path, balanced.
std::unique_ptr<RouteTable> ud_itb(const Graph& graph, const SourceRouteOptions& options = {});

/// All three routes for each pair, in the order of MyrinetRoute, for the NIC to select from; the same as built
/// separately.
enum MyrinetRoute : int { ud_route, ud_mitb_route, ud_itb_route };
std::unique_ptr<RouteTable> myrinet(const Graph& graph, const SourceRouteOptions& options = {});

}  // namespace sanvp::topologies
