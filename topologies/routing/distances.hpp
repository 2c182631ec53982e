/// Switches as a graph by themselves, and distances between them.
#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// A port of a switch that leads to another switch over a cable that works.
struct Neighbour {
  int port = 0;
  int switch_ = 0;
};

/// For each switch, in the order of its ports.
std::vector<std::vector<Neighbour>> neighbours(const Graph& graph);

/// Distances in a graph whose vertices are states of packets. 255: there is no way.
class Distances {
 public:
  static constexpr std::uint8_t unreached = 255;

  /// @param next  per vertex the vertices one hop on
  explicit Distances(const std::vector<std::vector<int>>& next);
  int between(int from, int to) const { return distance_[static_cast<std::size_t>(to) * vertices_ + from]; }
  /// The longest that there is.
  int longest() const { return longest_; }

 private:
  std::size_t vertices_;
  std::vector<std::uint8_t> distance_;  ///< of all vertices to one, one after the other
  int longest_ = 0;
};

}  // namespace sanvp::topologies
