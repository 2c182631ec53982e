#include "topologies/connected.hpp"

#include <algorithm>

#include "platform/core/error.hpp"

namespace sanvp::topologies {

std::vector<int> connected_parts(const Graph& graph) {
  std::vector<int> part(static_cast<std::size_t>(graph.host_count()), -1);
  std::vector<char> passed(static_cast<std::size_t>(graph.switch_count()), 0);
  for (int first = 0; first < graph.host_count(); ++first) {
    if (part[static_cast<std::size_t>(first)] >= 0) continue;
    part[static_cast<std::size_t>(first)] = first;
    std::vector<int> switches;
    const auto reach = [&](End end) {
      if (end.is_host()) part[static_cast<std::size_t>(end.index)] = first;
      if (!end.is_switch() || passed[static_cast<std::size_t>(end.index)] != 0) return;
      passed[static_cast<std::size_t>(end.index)] = 1;
      switches.push_back(end.index);
    };
    for (int port = 0; port < graph.host_ports; ++port) reach(graph.peer(End::host(first, port)));
    while (!switches.empty()) {
      const int at = switches.back();
      switches.pop_back();
      const auto ports = static_cast<int>(graph.switches()[static_cast<std::size_t>(at)].link_at.size());
      for (int port = 0; port < ports; ++port) reach(graph.peer(End::switch_(at, port)));
    }
  }
  return part;
}

bool joins_all_hosts(const Graph& graph) {
  const std::vector<int> parts = connected_parts(graph);
  return std::all_of(parts.begin(), parts.end(), [](int part) { return part == 0; });
}

Graph first_that_joins_all_hosts(const std::function<Graph()>& draw, const std::string& place) {
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Graph graph = draw();
    if (joins_all_hosts(graph)) return graph;
  }
  throw UserError(place, "no connected network was drawn in " + std::to_string(attempts) + " attempts",
                  "give the switches more cables");
}

}  // namespace sanvp::topologies
