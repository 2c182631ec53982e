/// QsNET's hardware broadcast to a contiguous range of hosts (FACTS.md 1.2).
#pragma once

#include <optional>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// A broadcast of `source` to hosts low..high, both inclusive. It climbs by a fixed up port to the root of the smallest
/// subtree that holds all of them. From there switches copy it down: a switch whose hosts are all in the range copies
/// it to every down port, a switch at the edge of the range to some of them. The descent therefore is not a list of
/// steps; each switch computes its own.
struct BroadcastRoute {
  KaryTree tree;
  int source = 0;
  int low = 0;
  int high = 0;
  int root = 0;  ///< the switch where the ascent ends

  /// What `switch_` does with the packet that arrives at `arrival_port`: one step up (TREE_UP), or copies to a range of
  /// down ports (RANGE).
  Step step(int switch_, int arrival_port) const;

  /// The down ports of `switch_` that lead to hosts low..high; Step::ports is 0 if none does.
  Step descend_range(int switch_) const;
};

/// Throws UserError if source, low or high is not a host, or low > high.
/// All broadcasts climb by the first up port, never adaptively. Those of one subtree thus meet in one root and are
/// served one after another; two broadcasts that cross on the way down could block each other for ever.
/// @param tree  fat_tree_geometry of the graph
BroadcastRoute broadcast_route(const KaryTree& tree, int source, int low, int high);

/// The up ports, from 0 on, by level, by which all broadcasts climb in a tree with failed cables. It is the first set
/// whose root, and whose roots of subtrees, still reach every leaf that has a host. All subtrees use one set, so that
/// their broadcasts stay parts of one tree and cannot block each other. Empty if no such set exists.
/// @param working  the fat tree without its failed cables
std::optional<std::vector<int>> broadcast_ascent(const Graph& working, const KaryTree& tree);

}  // namespace sanvp::topologies
