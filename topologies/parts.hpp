/// What a topology file and a routing file register (platform/core/registry.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A builder of graphs: reads its sizes from section [topology].
struct TopologyPart {
  static constexpr const char* kind() { return "topology"; }
  std::string name;
  std::string summary;
  std::function<Graph(const Parameters&, std::uint64_t seed)> build;
};

/// A builder of routings: reads its choices from section [routing]. The graph outlives the routing.
/// Throws UserError where the graph is not of a family it can serve.
struct RoutingPart {
  static constexpr const char* kind() { return "routing"; }
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Routing>(const Graph&, const Parameters&, std::uint64_t seed)> build;
};

}  // namespace sanvp::topologies
