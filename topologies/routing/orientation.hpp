/// The up and down directions of a network of switches, for up*/down* routing (FACTS.md 2.4).
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// A breadth-first tree from a root gives each switch a level. Between two switches, the channel that ends nearer the
/// root is up; on the same level, the one that ends at the smaller number. Routes that never go up after they went down
/// cannot form a cycle of waiting worms. Switches that the root does not reach, for example when the root itself has
/// failed, form other trees, each from its lowest switch.
class Orientation {
 public:
  /// Throws UserError if the switch does not exist.
  Orientation(const Graph& graph, int root);

  int root() const { return root_; }
  /// Number of links from the root of its tree.
  int level(int switch_) const { return levels_[switch_]; }
  /// Whether a channel between two switches is up.
  bool up(int channel) const { return up_[channel]; }

 private:
  static constexpr int unreached = -1;

  void grow_tree(const Graph& graph, int root);

  int root_;
  std::vector<int> levels_;
  std::vector<bool> up_;
};

}  // namespace sanvp::topologies
