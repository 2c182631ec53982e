#include "topologies/routing/lattice_relation.hpp"

#include <algorithm>

#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {

LatticeRelation::LatticeRelation(const Graph& graph, const std::string& reader, Rings rings)
    : lattice_(Lattice::of(graph, reader)) {
  const bool has_ring =
      std::ranges::any_of(lattice_.axes(), [](const Axis& axis) { return axis.kind == Axis::Kind::ring; });
  if (has_ring && rings == Rings::refused)
    throw UnsuitableGraph(reader, "the turns that it leaves out open the cycles of a mesh, not those of a ring",
                          "use topology.type=grid, or minimal_adaptive");
}

void LatticeRelation::candidates(const Header& header, std::vector<Candidate>& to) const {
  if (lattice_.switch_of(header.destination) == header.switch_)
    to.push_back({.port = static_cast<std::uint16_t>(lattice_.host_port(header.destination)), .state = header.state});
  else
    travel(header, to);
}

Run LatticeRelation::left(const Header& header, int axis) const {
  const int from = lattice_.coordinate(header.switch_, axis);
  const int to = lattice_.coordinate(lattice_.switch_of(header.destination), axis);
  return lattice_.run(axis, from, to, Wrap::shortest, header.state % 2 == 0 ? Run::Way::up : Run::Way::down);
}

int LatticeRelation::offset(const Header& header, int axis) const {
  const Run run = left(header, axis);
  return run.way == Run::Way::up ? run.hops : -run.hops;
}

bool LatticeRelation::will_wrap(const Header& header, int axis) const {
  const Run run = left(header, axis);
  return run.hops_before_wrap < run.hops;
}

/// The source's parity, and the coordinate of its switch along the last axis, x.
std::uint32_t LatticeRelation::first_state(int source, int /*destination*/, int /*alternative*/) const {
  const int column = lattice_.coordinate(lattice_.switch_of(source), lattice_.axis_count() - 1);
  return static_cast<std::uint32_t>(column) << 1 | static_cast<std::uint32_t>(source % 2);
}

void LatticeRelation::append(const Header& header, int axis, Run::Way way, std::vector<Candidate>& to,
                             const Candidate& kind) const {
  Candidate& one = to.emplace_back(kind);
  one.state = header.state;
  one.port = static_cast<std::uint16_t>(lattice_.port(axis, way));
  one.ports = static_cast<std::uint16_t>(lattice_.axes()[axis].cables);
}

}  // namespace sanvp::topologies
