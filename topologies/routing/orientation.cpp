#include "topologies/routing/orientation.hpp"

#include <utility>

#include "platform/core/error.hpp"

namespace sanvp::topologies {

Orientation::Orientation(const Graph& graph, int root)
    : root_(root), levels_(graph.switch_count(), unreached), up_(graph.channel_count(), false) {
  if (root < 0 || root >= graph.switch_count())
    throw UserError("up*/down* routing", "there is no switch " + std::to_string(root) + " to be the root",
                    "choose one of 0.." + std::to_string(graph.switch_count() - 1));
  grow_tree(graph, root);
  for (int at = 0; at < graph.switch_count(); ++at)
    if (levels_[at] == unreached) grow_tree(graph, at);
  for (int channel = 0; channel < graph.channel_count(); ++channel) {
    const End from = graph.channel_source(channel);
    const End to = graph.channel_target(channel);
    if (from.is_switch() && to.is_switch())
      up_[channel] = std::pair(levels_[to.index], to.index) < std::pair(levels_[from.index], from.index);
  }
}

void Orientation::grow_tree(const Graph& graph, int root) {
  levels_[root] = 0;
  std::vector<int> order{root};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int at = order[i];
    const int ports = static_cast<int>(graph.switches()[at].link_at.size());
    for (int port = 0; port < ports; ++port) {
      const End next = graph.peer(End::switch_(at, port));
      if (!next.is_switch() || levels_[next.index] != unreached) continue;
      levels_[next.index] = levels_[at] + 1;
      order.push_back(next.index);
    }
  }
}

}  // namespace sanvp::topologies
