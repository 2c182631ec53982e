/// Each node to the one nearly half way round: on a ring all packets then go the same way, and routing by shortest
/// paths uses half of the cables (Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
/// section 3.2).
#include <string>

#include "platform/traffic/patterns/fixed_partner.hpp"
#include "topologies/lattice.hpp"

namespace sanvp::traffic {
namespace {

int moved(int from, int size) { return (from + (size + 1) / 2 - 1) % size; }

std::vector<int> partners(const topologies::Graph& graph) {
  std::vector<int> partner;
  const bool has_axes = graph.family == "grid" || graph.family == "torus" || graph.family == "processor_grid";
  if (!has_axes) {
    for (int node = 0; node < graph.host_count(); ++node) partner.push_back(moved(node, graph.host_count()));
    return partner;
  }
  const auto lattice = topologies::Lattice::of(graph, "pattern tornado");
  for (int node = 0; node < graph.host_count(); ++node) {
    const int from = lattice.switch_of(node);
    int to = from;
    for (int axis = 0; axis < lattice.axis_count(); ++axis) {
      const int at = lattice.coordinate(from, axis);
      to += (moved(at, lattice.axes()[axis].size) - at) * lattice.stride(axis);
    }
    partner.push_back(to * lattice.hosts_per_switch() + lattice.host_port(node));
  }
  return partner;
}

const Registration<PatternPart> registration{
    {"tornado",
     "permutation: nearly half way along each axis of a grid or torus, or of all nodes (Dally and Towles, 3.2)",
     [](const PatternContext& context) -> std::unique_ptr<Pattern> {
       require_nodes(context, "tornado", 3);
       return std::make_unique<FixedPartner>(
           partners(context.graph.has_planes ? *context.graph.by_port : context.graph));
     }}};

}  // namespace
}  // namespace sanvp::traffic
