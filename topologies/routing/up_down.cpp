#include "topologies/routing/up_down.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {

std::unique_ptr<RouteTable> up_down(const Graph& graph, const SourceRouteOptions& options) {
  return source_routes(graph, options, {{"ud", Violation::forbidden}});
}

static const Registration<RoutingPart> registration{
    {.name = "ud",
     .summary = "up*/down*: shortest legal paths, balanced; any network of switches",
     .build = [](const Graph& graph, const Parameters& parameters, std::uint64_t seed) -> std::unique_ptr<Routing> {
       return up_down(graph, source_route_options(graph, parameters, seed));
     },
     .avoids_failures = true}};

}  // namespace sanvp::topologies
