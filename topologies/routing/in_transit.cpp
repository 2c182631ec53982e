#include "topologies/routing/in_transit.hpp"

#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

using Builder = std::unique_ptr<RouteTable> (*)(const Graph&, const SourceRouteOptions&);

RoutingPart part(const std::string& name, const std::string& summary, Builder builder) {
  return {.name = name,
          .summary = summary,
          .build = [builder](const Graph& graph, const Parameters& parameters, std::uint64_t seed)
              -> std::unique_ptr<Routing> { return builder(graph, source_route_options(graph, parameters, seed)); },
          .avoids_failures = true};
}

}  // namespace

std::unique_ptr<RouteTable> ud_mitb(const Graph& graph, const SourceRouteOptions& options) {
  return source_routes(graph, options, {{"ud_mitb", Violation::least}});
}

std::unique_ptr<RouteTable> ud_itb(const Graph& graph, const SourceRouteOptions& options) {
  return source_routes(graph, options, {{"ud_itb", Violation::free}});
}

std::unique_ptr<RouteTable> myrinet(const Graph& graph, const SourceRouteOptions& options) {
  return source_routes(graph, options,
                       {{"ud", Violation::forbidden}, {"ud_mitb", Violation::least}, {"ud_itb", Violation::free}});
}

static const Registration<RoutingPart> registration_mitb{
    part("ud_mitb", "shortest paths with the fewest in-transit hosts, balanced", ud_mitb)};
static const Registration<RoutingPart> registration_itb{
    part("ud_itb", "any shortest paths, split by in-transit hosts, balanced", ud_itb)};
static const Registration<RoutingPart> registration_all{
    part("myrinet", "UD, UD_MITB and UD_ITB side by side, as routes 0, 1 and 2 of each pair", myrinet)};

}  // namespace sanvp::topologies
