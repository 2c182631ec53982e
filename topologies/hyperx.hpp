/// HyperX: switches at the points of a box of integers, each joined to all others of its row along every axis
/// (Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC 2009). One axis is a complete graph, axes of two points make a
/// hypercube, two or three axes are a flattened butterfly.
#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// Numbering: points in row-major order (the last axis is the fastest); host h is on switch h / hosts_per_switch. Ports
/// of a switch: its hosts, then for each axis, in the order of the axes, the cables to each other point of the row in
/// ascending order; the cables to one point are adjacent.
class HyperX {
 public:
  /// @param place  names the source of the sizes in the message of the UserError that impossible sizes throw
  HyperX(std::vector<int> sizes, int hosts_per_switch, int cables, const std::string& place);
  /// The HyperX that `graph` was built from.
  /// @param reader  names the routing in the message of the UserError thrown for another graph
  static HyperX of(const Graph& graph, const std::string& reader);

  /// Family "hyperx", shape {hosts per switch, cables, size of each axis}. Link classes: `host` from hosts to switches,
  /// `cable` between switches.
  Graph graph() const;

  int axes() const { return static_cast<int>(sizes_.size()); }
  int size(int axis) const { return sizes_[axis]; }
  int cables() const { return cables_; }
  int switch_count() const { return switch_count_; }
  int switch_of(int host) const { return host / hosts_per_switch_; }
  int host_port(int host) const { return host % hosts_per_switch_; }
  int coordinate(int switch_, int axis) const { return switch_ / strides_[axis] % sizes_[axis]; }
  /// The first port of the cables that lead from a switch to the point `to` of its row along `axis`.
  int port(int switch_, int axis, int to) const;
  /// The switch at the point `to` of that row.
  int moved(int switch_, int axis, int to) const { return switch_ + (to - coordinate(switch_, axis)) * strides_[axis]; }

 private:
  std::vector<int> sizes_;
  std::vector<int> strides_;
  std::vector<int> first_port_;  ///< per axis
  int hosts_per_switch_;
  int cables_;  ///< between each two switches of a row
  int switch_count_ = 1;
  int ports_ = 0;
};

}  // namespace sanvp::topologies
