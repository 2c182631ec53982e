/// Minimal paths, and detours by way of an intermediate place that spread what a pattern would pile up on few cables:
/// what direct networks of high radix (dragonfly, HyperX) have in common.
#pragma once

#include <memory>

#include "platform/core/parameters.hpp"
#include "topologies/graph.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp::topologies {

/// Which paths packets take.
enum class Paths {
  minimal,  ///< the shortest
  valiant,  ///< each packet a detour drawn at random (Valiant, SIAM J. Comput. 11(2), 1982)
};

/// Reads `paths` of section [routing].
Paths read_paths(const Parameters& parameters);

/// What a family knows of its own geometry. All paths are those of the graph as built; DetouredPaths leaves out those
/// that meet an unplugged cable. The virtual channels that they name must leave no cycle of waiting, minimal paths and
/// detours together.
class PathFamily {
 public:
  virtual ~PathFamily() = default;

  /// Appends the steps of the minimal path.
  virtual void minimal(int source, int destination, Route& route) const = 0;
  /// How many detours a pair has.
  virtual int detours(int source, int destination) const = 0;
  /// Appends the steps of one of them.
  virtual void detour(int source, int destination, int number, Route& route) const = 0;
  /// Whether packets between these two take the minimal path under Paths::valiant, too (neighbours).
  virtual bool stays_minimal(int source, int destination) const = 0;
};

/// Routes of `family` over `graph`, of which failed cables may be unplugged; the graph outlives the result.
/// Minimal paths on a damaged graph are those of up_down_tables. With detours, a pair keeps the paths that work; where
/// its minimal path does not, it has detours even if `stays_minimal`.
std::unique_ptr<Routing> detoured_paths(const Graph& graph, std::unique_ptr<PathFamily> family, Paths paths);

}  // namespace sanvp::topologies
