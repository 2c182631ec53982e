#include "topologies/routing/distances.hpp"

#include <algorithm>

#include "platform/core/error.hpp"

namespace sanvp::topologies {
namespace {

/// A byte for every two of them.
constexpr std::size_t most_vertices = 1U << 14;

}  // namespace

std::vector<std::vector<Neighbour>> neighbours(const Graph& graph) {
  std::vector<std::vector<Neighbour>> all(graph.switches().size());
  for (int at = 0; at < graph.switch_count(); ++at) {
    const int ports = static_cast<int>(graph.switches()[at].link_at.size());
    for (int port = 0; port < ports; ++port)
      if (const End end = graph.peer(End::switch_(at, port)); end.is_switch()) all[at].push_back({port, end.index});
  }
  return all;
}

Distances::Distances(const std::vector<std::vector<int>>& next)
    : vertices_(next.size()), distance_(vertices_ * vertices_, unreached) {
  if (vertices_ > most_vertices)
    throw UserError("routing", "distances of more than " + std::to_string(most_vertices) + " switches are not kept",
                    "use a smaller network");
  std::vector<std::vector<int>> before(vertices_);
  for (std::size_t from = 0; from < vertices_; ++from)
    for (const int to : next[from]) before[to].push_back(static_cast<int>(from));
  std::vector<int> order;
  for (std::size_t to = 0; to < vertices_; ++to) {
    std::uint8_t* const distance = &distance_[to * vertices_];
    distance[to] = 0;
    order.assign(1, static_cast<int>(to));
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const int from : before[order[i]]) {
        if (distance[from] != unreached) continue;
        distance[from] = static_cast<std::uint8_t>(std::min(distance[order[i]] + 1, unreached - 1));
        longest_ = std::max(longest_, int{distance[from]});
        order.push_back(from);
      }
  }
}

}  // namespace sanvp::topologies
