/// Shortest paths between switches under up*/down* rules.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/core/random.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/orientation.hpp"

namespace sanvp::topologies {

/// What it costs to take an up channel after a down channel: a violation of up*/down* that needs an in-transit host.
enum class Violation : std::uint8_t {
  forbidden,  ///< UD: shortest legal paths
  least,      ///< UD_MITB: shortest paths with the fewest violations
  free,       ///< UD_ITB: all shortest paths, whatever their violations
};

/// Channels between switches, in order; empty where source and destination are on one switch.
using SwitchPath = std::vector<int>;

/// All shortest paths to one destination switch. A violation is possible only at switches that have a host.
class ShortestPaths {
 public:
  ShortestPaths(const Graph& graph, const Orientation& orientation, Violation violation, int destination);

  /// The shortest paths from `source`, at most `most` of them; if there are more, a random sample of distinct ones.
  /// Empty if the destination cannot be reached.
  std::vector<SwitchPath> from(int source, std::size_t most, Random& random) const;

 private:
  /// A channel and the state it leads to. A state is a switch together with the worm's direction: still up, or already
  /// down.
  struct Hop {
    int channel;
    int next;  ///< state at the other end
  };

  static int state(int switch_, bool down) { return 2 * switch_ + (down ? 1 : 0); }
  /// Cost of leaving `state` by `channel`, or `forbidden_cost`.
  std::int64_t cost(int state, int channel) const;
  std::vector<Hop> find_best_hops(int state) const;
  void enumerate(int state, SwitchPath& path, std::vector<SwitchPath>& paths) const;
  SwitchPath sample(int state, Random& random) const;

  const Graph& graph_;
  const Orientation& orientation_;
  Violation violation_;
  int destination_;
  std::vector<bool> has_host_;
  std::vector<std::int64_t> costs_;          ///< to the destination, per state
  std::vector<std::uint64_t> counts_;        ///< number of shortest paths per state, saturating
  std::vector<std::vector<Hop>> best_hops_;  ///< hops that begin a shortest path, per state
};

}  // namespace sanvp::topologies
