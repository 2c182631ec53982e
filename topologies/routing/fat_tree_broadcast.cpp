#include "topologies/routing/fat_tree_broadcast.hpp"

#include <algorithm>

#include "platform/core/error.hpp"

namespace sanvp::topologies {

BroadcastRoute broadcast_route(const KaryTree& tree, int source, int low, int high) {
  const auto is_host = [&](int host) { return host >= 0 && host < tree.hosts(); };
  if (!is_host(source) || !is_host(low) || !is_host(high) || low > high)
    throw UserError("broadcast of host " + std::to_string(source) + " to hosts " + std::to_string(low) + ".." +
                        std::to_string(high),
                    "there is no such range of hosts",
                    "hosts go from 0 to " + std::to_string(tree.hosts() - 1) + ", the lower first");
  // All hosts between low and high share the common ancestors of the two.
  const int level = std::max(tree.nca_level(source, low), tree.nca_level(source, high));
  // By the first up ports it comes to replica 0 of the subtree.
  const int root = tree.switch_at(level, source / tree.hosts_below(level) * tree.replicas(level));
  return {tree, source, low, high, root};
}

Step BroadcastRoute::step(int switch_, int arrival_port) const {
  const bool from_below = arrival_port < tree.arity;
  if (!from_below || switch_ == root) return descend_range(switch_);
  Step up;
  up.port = static_cast<std::uint16_t>(tree.arity);
  return up;
}

Step BroadcastRoute::descend_range(int switch_) const {
  const int level = tree.level_of(switch_);
  const int first_host = tree.first_host_below(switch_);
  const int hosts_per_port = tree.hosts_below(level - 1);
  const int ports = level == tree.levels - 1 ? tree.top_arity : tree.arity;
  const int end_host = first_host + ports * hosts_per_port;
  Step copies;
  copies.replicate = true;
  copies.ports = 0;
  if (high < first_host || low >= end_host) return copies;
  const int first = (std::max(low, first_host) - first_host) / hosts_per_port;
  const int last = (std::min(high, end_host - 1) - first_host) / hosts_per_port;
  copies.port = static_cast<std::uint16_t>(first);
  copies.ports = static_cast<std::uint16_t>(last - first + 1);
  return copies;
}

namespace {

bool has_host(const Graph& graph, const KaryTree& tree, int leaf) {
  for (int port = 0; port < tree.arity; ++port)
    if (graph.peer(End::switch_(leaf, port))) return true;
  return false;
}

/// Whether all cables of the ascent from a leaf by these ports work.
bool climbs(const Graph& graph, const KaryTree& tree, int leaf, const std::vector<int>& ascent) {
  int at = leaf;
  for (const int up : ascent) {
    const End above = graph.peer(End::switch_(at, tree.arity + up));
    if (!above.is_switch()) return false;
    at = above.index;
  }
  return true;
}

}  // namespace

std::optional<std::vector<int>> broadcast_ascent(const Graph& working, const KaryTree& tree) {
  std::vector<int> leaves;
  for (int leaf = 0; leaf < tree.columns(0); ++leaf)
    if (has_host(working, tree, leaf)) leaves.push_back(leaf);
  for (int root = 0; root < tree.columns(tree.levels - 1); ++root) {
    std::vector<int> ascent(static_cast<std::size_t>(tree.levels) - 1);
    for (int level = 0; int& up : ascent) up = tree.spread(root, level++);
    if (std::ranges::all_of(leaves, [&](int leaf) { return climbs(working, tree, leaf, ascent); })) return ascent;
  }
  return {};
}

}  // namespace sanvp::topologies
