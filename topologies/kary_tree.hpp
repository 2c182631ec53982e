/// The k-ary n-tree: the geometry shared by the fat tree (QsNET) and the clusters of the Mesh of Clos.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Hosts are numbered in base k. Level 0 holds the leaf switches: host v is on leaf switch v div k, port v mod k. A
/// switch is (level, column); the column has one base-k digit fewer than a host. Ports 0..k-1 lead down, k..2k-1 up. At
/// level l, digits l and above of the column name the subtree below, digits below l number its replicas. Up port u of a
/// switch leads to the switch of the next level whose digit l is u, and arrives there at the port whose number is digit
/// l of the lower switch. So a descent takes at each level the port that is the destination's digit, whichever way it
/// came up.
///
/// The top level may join fewer than k subtrees (`top_arity`). It then has as many switches as the full tree, each with
/// fewer cables down: 32 nodes, half of a QsNET of 64, keep full bandwidth.
struct KaryTree {
  int arity = 0;      ///< k
  int levels = 0;     ///< n
  int top_arity = 0;  ///< 2..k subtrees under each top switch (hosts, if n is 1)

  /// Throws UserError at `place` where arity < 2, levels < 1, the tree is larger than limits.hpp allows, or `hosts` is
  /// not a multiple 2..k of k^(n-1). `hosts` 0 means the full tree, k^n.
  static KaryTree of_size(int arity, int levels, int hosts, const std::string& place);

  int hosts() const { return top_arity * hosts_below(levels - 2); }
  int hosts_below(int level) const;  ///< below one switch of that level, which is not the top; 1 at level -1
  int columns(int level) const;      ///< number of switches in a level
  int switches() const { return switch_at(levels - 1, 0) + columns(levels - 1); }

  /// Switches are numbered level by level from the leaves, by column within a level.
  int switch_at(int level, int column) const { return level * columns(0) + column; }
  int level_of(int switch_) const;
  int column_of(int switch_) const { return switch_ - switch_at(level_of(switch_), 0); }
  int first_host_below(int switch_) const;

  /// Level of the nearest common ancestors of two hosts: the position of their highest differing digit.
  int nca_level(int host_a, int host_b) const;
};

/// Adds a tree's hosts, switches and cables to a graph that may already hold others. Link classes: `host` from hosts to
/// switches, `cable` between switches.
/// @param prefix     start of the switches' names, which continue "level <level> switch <column>"
/// @param position   the first coordinates of all nodes; hosts append their number in the tree, switches their level
///                   and column
/// @param top_ports  ports of a top-level switch; all others have 2k
void add_kary_tree(Graph& graph, const KaryTree& tree, const std::string& prefix, const std::vector<int>& position,
                   int top_ports);

}  // namespace sanvp::topologies
