/// The k-ary n-tree: the geometry shared by the fat tree (QsNET) and the clusters of the Mesh of Clos.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/limits.hpp"

namespace sanvp::topologies {

/// Hosts are numbered in base k. Level 0 holds the leaf switches: host v is on leaf switch v div k, port v mod k. A
/// switch of level l has k cables down, by ports 0..k-1, and w(l) cables up, by ports k..k+w(l)-1; w(l) is k in a full
/// tree and less in a slimmed one. Below a switch of level l is a subtree of k^(l+1) hosts. Each subtree has R(l) =
/// w(0) * ... * w(l-1) such switches, its replicas. A switch is (level, column), and its column is subtree * R(l) +
/// replica. A replica's number has a digit for each level below: digit i is less than w(i) and counts R(i).
///
/// Up port u of a switch leads to the switch of the next level whose subtree contains its own, and whose replica has
/// its digits below l and u as digit l. It arrives there at the port whose number is the lower subtree's among the k
/// subtrees. So a descent takes at each level the port that is the destination's digit, whichever way it came up.
///
/// The top level may join fewer than k subtrees (`top_arity`). It then has as many switches as the full tree, each with
/// fewer cables down: 32 nodes, half of a QsNET of 64, keep full bandwidth.
class KaryTree {
 public:
  int arity = 0;      ///< k
  int levels = 0;     ///< n
  int top_arity = 0;  ///< 2..k subtrees under each top switch (hosts, if n is 1)

  KaryTree() = default;
  /// Sizes that of_size has accepted. @param up_links  w of each level below the top; empty: k
  KaryTree(int arity, int levels, int top_arity, std::span<const int> up_links = {});

  /// Throws UserError at `place` if arity < 2, levels < 1, the tree is larger than limits.hpp allows, or `hosts` is
  /// not a multiple 2..k of k^(n-1). `hosts` 0 means the full tree, k^n.
  static KaryTree of_size(int arity, int levels, int hosts, const std::string& place);
  /// The same tree with fewer cables up. Throws UserError at `place` if there is not one number for each level below
  /// the top, or one for all, from 1 to k.
  KaryTree slimmed(const std::vector<int>& up_links, const std::string& place) const;

  int hosts() const { return top_arity * hosts_below(levels - 2); }
  int hosts_below(int level) const;  ///< below one switch of that level, which is not the top; 1 at level -1
  int switches() const { return first_switch_[at(levels)]; }
  /// Number of switches in a level.
  int columns(int level) const { return switch_at(level + 1, 0) - switch_at(level, 0); }
  /// w: cables up of each switch of a level; 0 at the top.
  int up_links(int level) const { return up_links_[at(level)]; }
  /// R: switches of a level that have the same hosts below.
  int replicas(int level) const { return replicas_[at(level)]; }
  bool is_full() const;

  /// Switches are numbered level by level from the leaves, by column within a level.
  int switch_at(int level, int column) const { return first_switch_[at(level)] + column; }
  int level_of(int switch_) const;
  int column_of(int switch_) const { return switch_ - switch_at(level_of(switch_), 0); }
  int first_host_below(int switch_) const;
  /// The up port 0..w-1 at a level by which numbers are spread evenly: replicas() consecutive ones use each replica of
  /// every level equally often. In a full tree it is the number's digit.
  int spread(int number, int level) const {
    return static_cast<int>(static_cast<unsigned>(number) / static_cast<unsigned>(replicas(level)) %
                            static_cast<unsigned>(up_links(level)));
  }

  /// Level of the nearest common ancestors of two hosts: the position of their highest differing digit.
  int nca_level(int host_a, int host_b) const;

 private:
  static std::size_t at(int level) { return static_cast<std::size_t>(level); }

  // Per level, and for one more than the highest. Arrays, so that a copy is cheap.
  std::array<int, most_levels + 1> up_links_{};
  std::array<int, most_levels + 1> replicas_{};
  std::array<int, most_levels + 1> first_switch_{};
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
