/// What a topology file and a routing file register (platform/core/registry.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// What a routing may know beside its parameters. A builder that needs the seed alone takes a std::uint64_t.
struct RoutingContext {
  std::uint64_t seed;
  int virtual_channels;  ///< of each channel between switches
  std::string detours;   ///< the value of key `detours`, one of RoutingPart::detours; empty: the default

  // NOLINTBEGIN(google-explicit-constructor)
  RoutingContext(std::uint64_t seed, int virtual_channels = 1, std::string detours = {})
      : seed(seed), virtual_channels(virtual_channels), detours(std::move(detours)) {}
  operator std::uint64_t() const { return seed; }
  // NOLINTEND(google-explicit-constructor)
};

/// A builder of routings: reads its parameters from section [routing]. The graph outlives the routing.
/// Throws UnsuitableGraph (unsuitable.hpp) for a graph that it does not support.
/// A routing that avoids failures receives the graph without its failed parts and has a route for each pair that it can
/// still serve. Any other routing receives the whole graph, and the machine drops the routes that cross a failed part.
struct RoutingPart {
  static constexpr const char* kind() { return "routing"; }
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Routing>(const Graph&, const Parameters&, const RoutingContext&)> build;
  bool avoids_failures = false;
  /// What it can do about failed parts, as values of key `detours`, the default first. Every routing has `none` beside
  /// these, which the machine does: routes that cross a failed part are dropped.
  std::vector<std::string> detours = {};
};

}  // namespace sanvp::topologies
