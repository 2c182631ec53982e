/// What routes with detours owe a network that has lost parts.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>

#include "topologies/connected.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing/check.hpp"

namespace sanvp::topologies::test {

using MakeRouting = std::function<std::unique_ptr<Routing>(const Graph&, const std::string& paths)>;

/// Pairs of hosts that cables still join have routes, all of which arrive, and no cycle of waiting can form.
inline void require_all_served(const Graph& graph, const MakeRouting& routing_of, int virtual_channels) {
  const std::vector<int> part = connected_parts(graph);
  for (const char* paths : {"minimal", "valiant", "adaptive"}) {
    const auto routing = routing_of(graph, paths);
    CHECK(check(graph, *routing, {.virtual_channels = virtual_channels}).deadlock_free());
    Route route;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination) {
        if (source == destination || part[source] != part[destination]) continue;
        INFO(paths << " from " << source << " to " << destination);
        const int alternatives = routing->alternatives(source, destination);
        CHECK(alternatives > 0);
        for (int alternative = 0; alternative < alternatives; ++alternative) {
          routing->route(source, destination, alternative, route);
          CHECK(end_of(graph, source, route) == End::host(destination));
        }
      }
  }
}

/// The same without each one of the graph's cables, and of its switches.
inline void require_all_served_without_any_part(const Graph& whole, const MakeRouting& routing_of,
                                                int virtual_channels) {
  for (int link = 0; link < whole.link_count(); ++link)
    require_all_served(working_part(whole, {.links = {link}}), routing_of, virtual_channels);
  for (int at = 0; at < whole.switch_count(); ++at)
    require_all_served(working_part(whole, {.switches = {at}}), routing_of, virtual_channels);
}

}  // namespace sanvp::topologies::test
