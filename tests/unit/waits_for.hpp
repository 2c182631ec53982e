/// Walks routes over a graph, by every choice of group port and virtual channel at once, and collects which channel
/// waits for which. Independent of topologies/routing/check, so that each can be measured against the other.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies::test {

/// The path, or the two paths that the first switch has to choose from.
inline std::vector<std::vector<Step>> paths_of(const Route& route) {
  if (route.second == 0) return {route.steps};
  const auto middle = route.steps.begin() + route.second;
  return {{route.steps.begin(), middle}, {middle, route.steps.end()}};
}

inline bool arrives(const Graph& graph, End seat, const std::vector<Step>& path, int destination) {
  std::set<End> at{seat};
  for (const Step& step : path) {
    std::set<End> next;
    for (const End& end : at) {
      if (!end.is_switch()) return false;
      for (int port = step.port; port < step.port + step.ports; ++port)
        next.insert(graph.peer(End::switch_(end.index, port)));
    }
    at = std::move(next);
  }
  return at.size() == 1 && *at.begin() == End::host(destination);
}

/// @return whether the route leads from source to destination over any permitted cable at each switch, on each path
inline bool arrives(const Graph& graph, const Route& route, int source, int destination) {
  const End seat = graph.peer(End::host(source, route.source_port));
  for (const auto& path : paths_of(route))
    if (!arrives(graph, seat, path, destination)) return false;
  return true;
}

/// Which channel a worm may wait for while it holds another, over all routes: the channel dependency graph, whose
/// vertices are pairs of channel and virtual channel.
class WaitsFor {
 public:
  /// @param virtual_channels  of each channel; a step that may use any waits for all
  WaitsFor(const Graph& graph, const Routing& routing, int virtual_channels)
      : virtual_channels_(virtual_channels), after_(graph.channel_count() * virtual_channels) {
    Route route;
    for (int source = 0; source < graph.host_count(); ++source)
      for (int destination = 0; destination < graph.host_count(); ++destination)
        for (int i = 0; source != destination && i < routing.alternatives(source, destination); ++i) {
          routing.route(source, destination, i, route);
          for (const auto& path : paths_of(route))
            add(graph, path, graph.channel_from(End::host(source, route.source_port)), route.source_vc);
        }
  }

  bool acyclic() const {
    enum class Mark : std::uint8_t { unseen, open, done };
    std::vector<Mark> marks(after_.size(), Mark::unseen);
    for (std::size_t root = 0; root < after_.size(); ++root) {
      std::vector<std::pair<int, std::set<int>::const_iterator>> path;
      const auto enter = [&](int node) {
        marks[node] = Mark::open;
        path.emplace_back(node, after_[node].begin());
      };
      if (marks[root] == Mark::unseen) enter(static_cast<int>(root));
      while (!path.empty()) {
        auto& [node, next] = path.back();
        if (next == after_[node].end()) {
          marks[node] = Mark::done;
          path.pop_back();
        } else if (const int target = *next++; marks[target] == Mark::open) {
          return false;
        } else if (marks[target] == Mark::unseen) {
          enter(target);
        }
      }
    }
    return true;
  }

 private:
  void add(const Graph& graph, const std::vector<Step>& path, int first_channel, std::uint8_t first_vc) {
    std::set<int> held = virtual_channels(first_channel, first_vc);
    for (const Step& step : path) {
      std::set<int> wanted;
      for (const int holder : held) {
        const int at = graph.channel_target(holder / virtual_channels_).index;
        for (int port = step.port; port < step.port + step.ports; ++port) {
          const std::set<int> outputs = virtual_channels(graph.channel_from(End::switch_(at, port)), step.vc);
          after_[holder].insert(outputs.begin(), outputs.end());
          wanted.insert(outputs.begin(), outputs.end());
        }
      }
      held = std::move(wanted);
    }
  }

  std::set<int> virtual_channels(int channel, std::uint8_t vc) const {
    std::set<int> all;
    for (int i = 0; i < virtual_channels_; ++i)
      if (vc == Step::any_vc || vc == i) all.insert(channel * virtual_channels_ + i);
    return all;
  }

  int virtual_channels_;
  std::vector<std::set<int>> after_;
};

/// Number of hops between switches: all steps but the last, which leads to the host.
inline int hops(const Routing& routing, int source, int destination, int alternative = 0) {
  Route route;
  routing.route(source, destination, alternative, route);
  return static_cast<int>(route.steps.size()) - 1;
}

/// @return whether every pair is served and each of its routes arrives
inline bool all_arrive(const Graph& graph, const Routing& routing) {
  Route route;
  for (int source = 0; source < graph.host_count(); ++source)
    for (int destination = 0; destination < graph.host_count(); ++destination) {
      if (source == destination) continue;
      const int alternatives = routing.alternatives(source, destination);
      if (alternatives == 0) return false;
      for (int i = 0; i < alternatives; ++i) {
        routing.route(source, destination, i, route);
        if (!arrives(graph, route, source, destination)) return false;
      }
    }
  return true;
}

}  // namespace sanvp::topologies::test
