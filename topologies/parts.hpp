/// What a topology file and a routing file register (platform/core/registry.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/core/registry.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::topologies {

/// A builder of graphs: reads its sizes from section [topology].
struct TopologyPart {
  static constexpr const char* kind() { return "topology"; }
  std::string name;
  std::string summary;
  std::function<Graph(const Parameters&, std::uint64_t seed)> build;
};

/// A builder of routings: reads its parameters from section [routing]. The graph outlives the routing.
/// Throws UserError for a graph of a family that it does not support.
/// A routing that avoids failures receives the graph without its failed parts and has a route for each pair that it can
/// still serve. Any other routing receives the whole graph, and the machine drops the routes that cross a failed part.
struct RoutingPart {
  static constexpr const char* kind() { return "routing"; }
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Routing>(const Graph&, const Parameters&, std::uint64_t seed)> build;
  bool avoids_failures = false;
};

}  // namespace sanvp::topologies
