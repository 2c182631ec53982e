/// The up ports of a k-ary n-tree that still lead to a destination when cables or switches have failed.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"

namespace sanvp::topologies {

/// A descent has only one port at each switch, so a failed cable on it is a dead end for packets that climbed to the
/// wrong ancestor: an adaptive ascent may reach it, a fixed ascent avoids it.
class FatTreeDetours {
 public:
  /// How packets at a switch, on the ascent or on the descent, can reach a leaf switch.
  struct Lead {
    std::uint16_t ways : 15;  ///< number of ascents from here that lead there
    std::uint16_t any : 1;    ///< whether every ascent does, with any working up ports here and above
  };

  /// @param graph  a fat tree, some of whose cables are unplugged (working_part)
  FatTreeDetours(const Graph& graph, const KaryTree& tree);

  /// Whether there is a route between two different hosts.
  bool serves(int source, int destination) const;
  Lead lead(int switch_, int destination) const { return leads_[index(switch_, destination / tree_.arity)]; }
  /// Whether the ascent from a switch of level 0 by KaryTree::spread of the destination leads there.
  bool spread_leads(int leaf, int destination) const;

  /// The number, 0 .. ways - 1, of the ascent that the route of a pair names. Pairs are spread evenly over the
  /// remaining ascents: those of one source, those to one destination, those of one leaf switch, and those of a
  /// permutation that is a sum or difference of host numbers (shifts, complement).
  int ascent_of(int source, int destination) const;
  /// The up port (0..w-1) that ascent number `ascent` takes at a switch; `ascent` becomes its number from the next
  /// switch on. -1 if the switch has no such ascent.
  int up_port(int switch_, int destination, int& ascent) const;
  /// The switch at the other end of up port `up`, or -1.
  int above(int switch_, int up) const;

 private:
  std::size_t index(int switch_, int leaf) const {
    return static_cast<std::size_t>(leaf) * static_cast<std::size_t>(tree_.switches()) +
           static_cast<std::size_t>(switch_);
  }
  Lead lead_down(int switch_, int leaf) const;
  Lead lead_up(int switch_, int leaf) const;

  const Graph& graph_;
  KaryTree tree_;
  std::vector<Lead> leads_;  ///< per leaf switch and switch
};

}  // namespace sanvp::topologies
