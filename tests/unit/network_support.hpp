/// Small networks and hand-made routings for the tests of routings and of `check`.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::test {

using namespace topologies;

/// Switches in a row, one host each at port 0; port 1 leads to the switch before, port 2 to the one behind.
/// A ring joins the last to the first.
inline Graph row(int switches, bool ring) {
  Graph graph;
  for (int s = 0; s < switches; ++s) {
    graph.add_switch("s" + std::to_string(s), 3);
    graph.add_host("h" + std::to_string(s));
    graph.connect(End::host(s), End::switch_(s, 0));
  }
  for (int s = 0; s + 1 < switches + (ring ? 1 : 0); ++s)
    graph.connect(End::switch_(s, 2), End::switch_((s + 1) % switches, 1));
  return graph;
}

/// Exactly the routes it is given.
class ListedRouting : public Routing {
 public:
  std::map<std::pair<int, int>, std::vector<Route>> routes;
  bool random = false;

  void add(int source, int destination, std::vector<Step> steps) {
    Route route;
    route.steps = std::move(steps);
    routes[{source, destination}].push_back(route);
  }

  int alternatives(int source, int destination) const override {
    const auto found = routes.find({source, destination});
    return found == routes.end() ? 0 : static_cast<int>(found->second.size());
  }
  void route(int source, int destination, int alternative, Route& route) const override {
    route = routes.at({source, destination}).at(alternative);
  }
  bool random_alternative() const override { return random; }
};

inline Step to(int port) { return Step{.port = static_cast<std::uint16_t>(port)}; }
inline Step on_vc(int port, int vc) {
  return Step{.port = static_cast<std::uint16_t>(port), .vc = static_cast<std::uint8_t>(vc)};
}
inline Step one_of(int port, int ports) {
  return Step{.port = static_cast<std::uint16_t>(port), .ports = static_cast<std::uint16_t>(ports)};
}
inline Step in_transit(int port) { return Step{.port = static_cast<std::uint16_t>(port), .in_transit = true}; }

}  // namespace sanvp::test
