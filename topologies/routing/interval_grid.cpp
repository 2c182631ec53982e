#include "topologies/routing/interval_grid.hpp"

#include <cstdint>
#include <numeric>

#include "platform/core/parameters.hpp"
#include "platform/core/registry.hpp"

namespace sanvp::topologies {

namespace {

/// Sends the hosts of the switches low <= s < high in one direction.
void add_direction(const Lattice& lattice, Cables cables, int low, int high, int axis, Run::Way way,
                   IntervalTable& table) {
  const int hosts = lattice.hosts_per_switch();
  const int first = low * hosts;
  const int count = (high - low) * hosts;
  const int port = lattice.port(axis, way);
  const int ports = lattice.axes()[axis].cables;
  if (cables == Cables::grouped) {
    table.add({first, first + count, port, ports});
  } else {
    const auto cut = [&](int cable) { return first + static_cast<int>(std::int64_t{count} * cable / ports); };
    for (int cable = 0; cable < ports; ++cable) table.add({cut(cable), cut(cable + 1), port + cable, 1});
  }
}

/// Adds intervals in ascending order: the switches before this one, from the slowest axis to the fastest; its own
/// hosts; the switches after it, from the fastest axis to the slowest. Along each axis these are the switches with the
/// same coordinates on all slower axes: a block of consecutive numbers.
IntervalTable table_of(const Lattice& lattice, Cables cables, int switch_) {
  IntervalTable table;
  const auto block_begin = [&](int axis) { return axis < 0 ? 0 : switch_ - switch_ % lattice.stride(axis); };
  const auto block_end = [&](int axis) {
    return axis < 0 ? lattice.switch_count() : block_begin(axis) + lattice.stride(axis);
  };
  for (int axis = 0; axis < lattice.axis_count(); ++axis)
    add_direction(lattice, cables, block_begin(axis - 1), block_begin(axis), axis, Run::Way::down, table);
  const int hosts = lattice.hosts_per_switch();
  for (int host = 0; host < hosts; ++host) table.add({switch_ * hosts + host, switch_ * hosts + host + 1, host, 1});
  for (int axis = lattice.axis_count() - 1; axis >= 0; --axis)
    add_direction(lattice, cables, block_end(axis), block_end(axis - 1), axis, Run::Way::up, table);
  return table;
}

IntervalLabelling build(const Graph& graph, const Parameters& parameters) {
  const bool fixed =
      parameters.choice("cables", "grouped", {"grouped", "fixed"},
                        "one interval per direction, which leads to any free cable, or one interval per cable",
                        "FACTS 3.2: grouped adaptive links") == "fixed";
  return interval_labels(Lattice::of(graph, "routing interval"), fixed ? Cables::fixed : Cables::grouped);
}

const Registration<IntervalLabeller> grid{{"grid", "row-major labels, YX order", build}};
const Registration<IntervalLabeller> processor_grid{{"processor_grid", "row-major labels, YX order", build}};
const Registration<IntervalLabeller> torus{{"torus", "row-major labels, YX order, wrap cables unused", build}};

}  // namespace

IntervalLabelling interval_labels(const Lattice& lattice, Cables cables) {
  IntervalLabelling labelling;
  labelling.labels.resize(lattice.switch_count() * lattice.hosts_per_switch());
  std::iota(labelling.labels.begin(), labelling.labels.end(), 0);
  labelling.tables.reserve(lattice.switch_count());
  for (int s = 0; s < lattice.switch_count(); ++s) labelling.tables.push_back(table_of(lattice, cables, s));
  return labelling;
}

}  // namespace sanvp::topologies
