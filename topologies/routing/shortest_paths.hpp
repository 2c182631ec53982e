/// Shortest paths between switches under up*/down* rules.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/core/random.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/orientation.hpp"

namespace sanvp::topologies {

/// What an up channel after a down channel costs: a violation of up*/down*, mended by an in-transit host.
enum class Violation : std::uint8_t {
  forbidden,  ///< UD: shortest legal paths
  least,      ///< UD_MITB: shortest paths, and among them those with fewest violations
  free,       ///< UD_ITB: all shortest paths alike
};

/// Channels between switches, in order; empty where source and destination are one switch.
using SwitchPath = std::vector<int>;

/// All shortest paths towards one destination switch. A violation happens only at switches that have a host.
class ShortestPaths {
 public:
  ShortestPaths(const Graph& graph, const Orientation& orientation, Violation violation, int destination);

  /// The shortest paths from `source`, at most `most` of them: where there are more, distinct ones of a random sample.
  /// Empty where the destination cannot be reached.
  std::vector<SwitchPath> from(int source, std::size_t most, Random& random) const;

 private:
  /// A switch together with the direction a worm came from: still going up, or already down.
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
  std::vector<std::uint64_t> counts_;        ///< shortest paths per state, saturating
  std::vector<std::vector<Hop>> best_hops_;  ///< that begin a shortest path, per state
};

}  // namespace sanvp::topologies
