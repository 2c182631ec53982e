/// Switches at the points of a box of integers, with cables along its axes: the common part of grids, tori and TOFU.
///
/// Points are numbered in row-major order (the last axis is the fastest). Host h is on switch h / hosts_per_switch.
/// Ports of a switch: its hosts first, then for each axis, in the order of the axes, the cables up and the cables down.
/// Each direction is thus one group of adjacent ports, and cable k of a group joins cable k of the neighbour's group.
#pragma once

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "topologies/graph.hpp"

namespace sanvp::topologies {

/// One axis of the box.
struct Axis {
  enum class Kind {
    chain,  ///< a mesh axis: its ends have one neighbour
    ring,   ///< a torus axis: wrap cables join the last point to the first
    pair,   ///< a chain of two points, which needs one group of ports instead of two
  };
  char name = 'x';  ///< a lower-case letter
  int size = 1;
  Kind kind = Kind::chain;
  int cables = 1;  ///< number of cables between two neighbours
};

/// Which wrap cables of a ring a route may use.
enum class Wrap {
  shortest,   ///< any, in the shorter direction; needs two virtual channels, and a packet changes at the wrap cable
  first_hop,  ///< only as the first hop of a run: no packet inside the ring waits for a wrap cable, so there is no
              ///< cycle
  never,      ///< none: the ring is used as a chain
};

/// A straight run along one axis.
struct Run {
  enum class Way : std::uint8_t { up, down };
  Way way = Way::up;
  int hops = 0;
  int hops_before_wrap = 0;  ///< index of the hop that crosses the wrap cable; `hops` for a run without one
};

class Lattice {
 public:
  /// Throws UserError if a size is not positive or the lattice exceeds limits.hpp.
  /// @param family  name of the graph's family
  /// @param place  source of the sizes, for messages
  Lattice(std::string family, std::vector<Axis> axes, int hosts_per_switch, const std::string& place);
  /// The lattice that `graph` was built from.
  /// @param reader  names the caller in the message of the UserError thrown for a graph that no lattice built
  static Lattice of(const Graph& graph, const std::string& reader);

  /// Link classes: `host` from hosts to switches, `cable` between switches.
  Graph graph() const;

  const std::string& family() const { return family_; }
  const std::vector<Axis>& axes() const { return axes_; }
  int axis_count() const { return static_cast<int>(axes_.size()); }
  /// Index of the axis of that name, or -1.
  int axis(char name) const;
  int hosts_per_switch() const { return hosts_per_switch_; }
  int switch_count() const { return switch_count_; }
  int ports() const { return ports_; }

  int switch_of(int host) const { return host / hosts_per_switch_; }
  int host_port(int host) const { return host % hosts_per_switch_; }
  /// First port of the group of cables that leads `way` along `axis`.
  int port(int axis, Run::Way way) const { return first_port_[2 * axis + static_cast<int>(way)]; }
  /// What is plugged in at a port: "host 3", "x+ cable 0".
  std::string port_name(int port) const;

  int coordinate(int switch_, int axis) const { return coordinates_[switch_ * axes_.size() + axis]; }
  /// Difference of the numbers of two neighbours along `axis`.
  int stride(int axis) const { return strides_[axis]; }
  /// The switch one hop away, across the wrap cable on a ring; -1 past the end of a chain.
  int neighbour(int switch_, int axis, Run::Way way) const;

  /// Whether all neighbours are still joined when some cables are unplugged: by at least one cable, and by every cable.
  bool joined_by_one(const Graph& working) const { return joined(working, 1); }
  bool joined_by_all(const Graph& working) const { return joined(working, INT_MAX); }

  /// The shortest run along `axis` that `wrap` permits.
  /// @param tie  the direction to take where both are equally long
  Run run(int axis, int from, int to, Wrap wrap, Run::Way tie) const;

 private:
  bool joined(const Graph& working, int cables_needed) const;

  std::string family_;
  std::vector<Axis> axes_;
  int hosts_per_switch_;
  int switch_count_ = 1;
  int ports_ = 0;
  std::vector<int> strides_;
  std::vector<int> first_port_;   ///< per axis: up, then down
  std::vector<int> coordinates_;  ///< per switch and axis: a lookup is cheaper than divisions
};

/// Axes named x, y, z from the fastest (the last) on, or a, b, c... if there are more than three.
std::vector<Axis> make_axes(const std::vector<int>& sizes, Axis::Kind kind, int cables);

/// Sizes of axes from text such as "8x8". Throws UserError at `place` for other text.
std::vector<int> parse_sizes(const std::string& text, const std::string& place);

}  // namespace sanvp::topologies
