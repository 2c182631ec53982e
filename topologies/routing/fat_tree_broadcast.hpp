/// QsNET's hardware broadcast to a contiguous range of hosts (FACTS.md 1.2).
#pragma once

#include <optional>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A broadcast of `source` to hosts low..high, both inclusive. It climbs by a fixed up port to the root of the smallest
/// subtree that holds all of them, and is copied from there down. What a switch copies to depends on where it stands: a
/// switch whose hosts are all in the range copies to every down port, one at the range's edge to some of them. So the
/// descent is no list of steps; each switch answers for itself.
struct BroadcastRoute {
  KaryTree tree;
  int source = 0;
  int low = 0;
  int high = 0;
  int root = 0;  ///< the switch where the ascent ends

  /// What `switch_` does with the packet that comes in at `arrival_port`: one step up (TREE_UP), or copies to a range
  /// of down ports (RANGE).
  Step step(int switch_, int arrival_port) const;

  /// The down ports of `switch_` that lead to hosts of low..high; Step::ports is 0 where none does.
  Step descend_range(int switch_) const;
};

/// @param tree  fat_tree_geometry of the graph. Throws UserError where source, low or high is no host, or low > high.
/// All broadcasts climb by the first up port, never adaptively, so those of one subtree meet in one root and are
/// served one after the other: two that crossed on the way down could block each other for ever.
BroadcastRoute broadcast_route(const KaryTree& tree, int source, int low, int high);

/// The up ports (0..k-1), by level, that all broadcasts of a tree with failed cables climb by: the first set of them in
/// whose root, and in the roots of whose subtrees, every leaf with a host still hangs. One set for all subtrees, so
/// that their broadcasts stay parts of one tree and cannot block each other. Empty where there is none.
/// @param working  the fat tree without its failed cables
std::optional<std::vector<int>> broadcast_ascent(const Graph& working, const KaryTree& tree);

}  // namespace sanvp::topologies
