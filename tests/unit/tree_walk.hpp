/// Counts misrouted pairs, flows and cables: for the tests of the tree-like topologies.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/waits_for.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies::test {

/// The channels of a route, or of its first path, when each switch takes the first permitted port, from the source host
/// on.
inline std::vector<int> route_channels(const Graph& graph, int source, const Route& route) {
  std::vector<int> channels = {graph.channel_from(End::host(source, route.source_port))};
  for (const Step& step : route.first_path())
    channels.push_back(graph.channel_from(End::switch_(graph.channel_target(channels.back()).index, step.port)));
  return channels;
}

/// The number of pairs of hosts without a route, or with a route that can end at another host.
/// @param source_stride  only every such source is examined
inline int misrouted_pairs(const Graph& graph, const Routing& routing, int source_stride = 1) {
  int misrouted = 0;
  Route route;
  for (int source = 0; source < graph.host_count(); source += source_stride)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const int alternatives = routing.alternatives(source, destination);
      bool good = alternatives > 0;
      for (int alternative = 0; alternative < alternatives; ++alternative) {
        routing.route(source, destination, alternative, route);
        good = good && arrives(graph, route, source, destination);
      }
      misrouted += !good;
    }
  return misrouted;
}

/// Flows on each channel when every source sends to one partner.
template <class Partner>
std::vector<int> flows_per_channel(const Graph& graph, const Routing& routing, const Partner& partner) {
  std::vector<int> flows(graph.channel_count());
  Route route;
  for (int source = 0; source < graph.host_count(); ++source) {
    if (partner(source) == source) continue;
    routing.route(source, partner(source), 0, route);
    for (const int channel : route_channels(graph, source, route)) ++flows[channel];
  }
  return flows;
}

/// How many cables are plugged in at a switch.
inline int cabled_ports(const Graph& graph, int switch_) {
  const auto& link_at = graph.switches()[switch_].link_at;
  return static_cast<int>(std::count_if(link_at.begin(), link_at.end(), [](int link) { return link >= 0; }));
}

/// How many links have the class of that name.
inline int links_of_class(const Graph& graph, const std::string& name) {
  const auto& links = graph.links();
  return static_cast<int>(std::count_if(
      links.begin(), links.end(), [&](const Link& link) { return graph.link_classes()[link.link_class] == name; }));
}

}  // namespace sanvp::topologies::test
