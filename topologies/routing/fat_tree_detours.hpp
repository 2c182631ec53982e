/// Which ways up a k-ary n-tree still lead to a destination where cables or switches have failed.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"

namespace sanvp::topologies {

/// A descent has one port at each switch, so a failed cable on it makes a hole for what climbed too far by another
/// way: an adaptive ascent may run into it, a fixed one goes around it.
class FatTreeDetours {
 public:
  /// What a switch, on the ascent or on the descent, can do for packets to a leaf switch.
  enum class Lead : std::uint8_t {
    none,    ///< nothing: no way from here leads there
    some,    ///< some up ports lead there, some into a hole
    always,  ///< whatever working up port is taken, here and above
  };

  /// @param graph  a fat tree of which some cables are unplugged (working_part)
  FatTreeDetours(const Graph& graph, const KaryTree& tree);

  /// Between two different hosts.
  bool serves(int source, int destination) const;
  Lead lead(int switch_, int destination) const { return leads_[index(switch_, destination / tree_.arity)]; }

  /// The up port (0..k-1) of a switch that packets to `destination` take: the first from `preferred` on, cyclically,
  /// behind which every way leads there, else the first behind which one does. -1 where there is none.
  int up_port(int switch_, int destination, int preferred) const;
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
