/// Minimal paths, and detours through an intermediate place that spread traffic which a pattern would concentrate on
/// few cables: shared by direct networks of high radix (dragonfly, HyperX).
#pragma once

#include <cstdint>
#include <memory>

#include "topologies/graph.hpp"
#include "topologies/parts.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::topologies {

/// Which paths packets take.
enum class Paths {
  minimal,   ///< the shortest
  valiant,   ///< each packet takes a random detour (Valiant, SIAM J. Comput. 11(2), 1982)
  adaptive,  ///< of the shortest and a random detour the first switch takes the one with the shorter queue (UGAL)
};

struct PathChoice {
  Paths paths = Paths::minimal;
  /// Adaptive: flits times cables by which the queue of a detour must be shorter than that of the shortest path.
  std::int64_t threshold = 0;
};

/// Reads `paths` and `threshold` of section [routing].
PathChoice read_paths(const Parameters& parameters);

/// The paths of a family of graphs, for the graph as built; DetouredPaths excludes those that cross an unplugged cable.
/// Their virtual channels must leave no cycle of waiting, for minimal paths and detours together.
class PathFamily {
 public:
  virtual ~PathFamily() = default;

  /// Appends the steps of the minimal path. If detours exist, each step should use a different virtual channel from the
  /// same step of a detour's first part, so that a switch can tell their queues from each other.
  virtual void minimal(int source, int destination, Route& route) const = 0;
  /// Number of detours of a pair.
  virtual int detours(int source, int destination) const = 0;
  /// Appends the steps of one of them.
  virtual void detour(int source, int destination, int number, Route& route) const = 0;
  /// Whether packets of this pair take the minimal path whatever Paths says (neighbours).
  virtual bool stays_minimal(int source, int destination) const = 0;
  /// That these paths need.
  virtual int virtual_channels(Paths paths) const = 0;
};

/// The place of that number among all but two, which may be the same: what a detour may go by.
int place_between(int from, int to, int number);

/// Routes of `family` over `graph`, whose failed cables may be unplugged. If minimal paths have failed,
/// `with_detours` gives their pairs others. With Valiant's detours, a pair keeps the paths that work; if its minimal
/// path does not, it has detours even if `stays_minimal`, and if no detour does, the minimal path alone.
/// @param graph  outlives the result
std::unique_ptr<Routing> detoured_paths(const Graph& graph, std::unique_ptr<PathFamily> family,
                                        const PathChoice& choice, const RoutingContext& context);

}  // namespace sanvp::topologies
