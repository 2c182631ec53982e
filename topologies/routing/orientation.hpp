/// The up and down directions of a network of switches: what up*/down* routing hangs on (FACTS.md 2.4).
#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// A breadth-first tree from a root gives each switch a level; between switches the channel that ends nearer the root
/// is up, and on one level the one that ends at the smaller number. A route that never goes up after it went down
/// cannot take part in a cycle of waiting worms. What the root does not reach, as when the root itself has failed, has
/// trees of its own, each from its lowest switch.
class Orientation {
 public:
  /// Throws UserError where there is no such switch.
  Orientation(const Graph& graph, int root);

  int root() const { return root_; }
  /// Links from the root of its tree.
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
