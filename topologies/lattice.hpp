/// Switches at the points of a box of integers, cabled along its axes: what grids, tori and TOFU have in common.
///
/// Numbering: points in row-major order (the last axis is the fastest); host h hangs off switch h / hosts_per_switch.
/// Ports of a switch: its hosts first, then per axis, in the order of the axes, the cables up and the cables down.
/// So each direction is one group of adjacent ports, and cable k of a group meets cable k of the neighbour's group.
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
    chain,  ///< a mesh axis: the ends have no neighbour beyond them
    ring,   ///< a torus axis: wrap cables join the last point to the first
    pair,   ///< a chain of two points, which needs one group of ports instead of two
  };
  char name = 'x';  ///< a lower-case letter
  int size = 1;
  Kind kind = Kind::chain;
  int cables = 1;  ///< between two neighbours
};

/// Which wrap cables of a ring a route may use.
enum class Wrap {
  shortest,   ///< any, whichever way round is shorter; needs two virtual channels that change at the wrap cable
  first_hop,  ///< only as a run's first hop: no run ever waits for a wrap cable inside the ring, so no cycle closes
  never,      ///< none: the ring is used as a chain
};

/// A straight run along one axis.
struct Run {
  enum class Way : std::uint8_t { up, down };
  Way way = Way::up;
  int hops = 0;
  int hops_before_wrap = 0;  ///< the hop of this index crosses the wrap cable; `hops` where none does
};

class Lattice {
 public:
  /// Throws UserError where a size is not positive or the whole is larger than any such machine.
  /// @param family  name of the graph's family
  /// @param place  where the sizes come from, for messages
  Lattice(std::string family, std::vector<Axis> axes, int hosts_per_switch, const std::string& place);
  /// The lattice that `graph` was made from.
  /// @param reader  who asks, for the message of the UserError thrown where it was made otherwise
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
  /// First port of the group of cables that leads one `way` along `axis`.
  int port(int axis, Run::Way way) const { return first_port_[2 * axis + static_cast<int>(way)]; }
  /// "host 3", "x+ cable 0": what is plugged in at a port.
  std::string port_name(int port) const;

  int coordinate(int switch_, int axis) const { return coordinates_[switch_ * axes_.size() + axis]; }
  /// Number of switches between neighbours along `axis`, in the numbering.
  int stride(int axis) const { return strides_[axis]; }
  /// The switch one hop away, around the wrap cable where the axis is a ring; -1 past the end of a chain.
  int neighbour(int switch_, int axis, Run::Way way) const;

  /// Whether neighbours are still joined where some cables are unplugged: each two by one cable, or by every one.
  bool joined_by_one(const Graph& working) const { return joined(working, 1); }
  bool joined_by_all(const Graph& working) const { return joined(working, INT_MAX); }

  /// The shortest run along `axis` that `wrap` permits.
  /// @param tie  which way to take where both are equally long
  Run run(int axis, int from, int to, Wrap wrap, Run::Way tie) const;

 private:
  bool joined(const Graph& working, int cables_needed) const;

  std::string family_;
  std::vector<Axis> axes_;
  int hosts_per_switch_;
  int switch_count_ = 1;
  int ports_ = 0;
  std::vector<int> strides_;
  std::vector<int> first_port_;   ///< per axis: up, down
  std::vector<int> coordinates_;  ///< per switch and axis: cheaper to look up than to divide
};

/// Axes named x, y, z from the fastest (the last) on, or a, b, c... where there are more than three.
std::vector<Axis> make_axes(const std::vector<int>& sizes, Axis::Kind kind, int cables);

/// Sizes of axes from text such as "8x8". Throws UserError with `place` where it is none.
std::vector<int> parse_sizes(const std::string& text, const std::string& place);

}  // namespace sanvp::topologies
