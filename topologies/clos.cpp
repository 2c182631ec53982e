#include "topologies/clos.hpp"

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "clos";
constexpr const char* default_place = "topology clos";

/// Whether `below` switches with `up` uplinks each can be joined by below/2 centres of twice as many ports.
bool can_be_joined(int below, int up) { return below >= 2 && below % 2 == 0 && 2 * up % below == 0; }

std::string possible_nodes(int up) {
  std::string list;
  for (const int below_unit : {up, up * up})
    for (int below = 2; below <= 2 * up; below += 2)
      if (can_be_joined(below, up) && (below_unit == up || below > 2) && below * below_unit <= most_hosts)
        list += (list.empty() ? "" : ", ") + std::to_string(below * below_unit);
  return list;
}

Graph graph_of(const ClosSizes& sizes) {
  const int nodes = sizes.hosts();
  const int radix = 2 * sizes.up;
  Graph graph;
  graph.family = family;
  graph.shape = {nodes, radix};

  for (int host = 0; host < nodes; ++host)
    graph.add_host("host " + std::to_string(host), {sizes.leaf_of(host), host % sizes.up});
  for (int leaf = 0; leaf < sizes.leaves; ++leaf) graph.add_switch("leaf " + std::to_string(leaf), radix, {0, leaf});
  for (int middle = 0; middle < sizes.middles(); ++middle)
    graph.add_switch("pod " + std::to_string(middle / sizes.up) + " middle " + std::to_string(middle % sizes.up), radix,
                     {1, middle});
  for (int centre = 0; centre < sizes.centres; ++centre)
    graph.add_switch("centre " + std::to_string(centre), radix, {sizes.has_middles() ? 2 : 1, centre});

  for (int host = 0; host < nodes; ++host)
    graph.connect(End::host(host), End::switch_(sizes.leaf_of(host), host % sizes.up), "host");

  for (int leaf = 0; leaf < sizes.leaves && sizes.has_middles(); ++leaf)
    for (int column = 0; column < sizes.up; ++column)
      graph.connect(End::switch_(leaf, sizes.up + column),
                    End::switch_(sizes.first_middle() + leaf / sizes.up * sizes.up + column, leaf % sizes.up), "cable");

  // The switches below the centres are the leaves, all in one plane, or the middles, one plane for each column of a
  // pod.
  const int planes = sizes.has_middles() ? sizes.up : 1;
  const int below_per_plane = sizes.has_middles() ? sizes.pods : sizes.leaves;
  for (int plane = 0; plane < planes; ++plane)
    for (int below = 0; below < below_per_plane; ++below) {
      const int lower = sizes.has_middles() ? sizes.first_middle() + below * sizes.up + plane : below;
      for (int above = 0; above < sizes.centres_above(); ++above) {
        const int upper = sizes.first_centre() + plane * sizes.centres_above() + above;
        for (int cable = 0; cable < sizes.cables; ++cable)
          graph.connect(End::switch_(lower, sizes.up_port(above) + cable),
                        End::switch_(upper, sizes.centre_port(below) + cable), "cable");
      }
    }
  return graph;
}

Graph build(const Parameters& parameters, std::uint64_t) {
  const auto nodes = parameters.count("nodes", 64, "hosts", "Macrame paper 4.1 (64, 128 and 256 nodes)", 2, most_hosts);
  const auto radix = parameters.count("radix", 32, "ports of every switch, half of them up",
                                      "Macrame paper 3.1: STC104", 4, most_ports);
  return graph_of(ClosSizes::of_nodes(static_cast<int>(nodes), static_cast<int>(radix), parameters.place("nodes")));
}

const Registration<TopologyPart> registration{
    {family, "folded Clos of equal switches, three stages or five (Macrame: 64..1024 nodes of 32-way STC104s)", build}};

}  // namespace

ClosSizes ClosSizes::of_nodes(int nodes, int radix, const std::string& place) {
  if (radix < 4 || radix % 2 != 0 || radix > most_ports)
    throw UserError(place, "switches with " + std::to_string(radix) + " ports are not possible",
                    "give an even number from 4 to " + std::to_string(most_ports));
  const int up = radix / 2;
  const int leaves = nodes / up;
  const bool whole_leaves = nodes > 0 && nodes <= most_hosts && nodes % up == 0;
  if (whole_leaves && can_be_joined(leaves, up)) return {up, leaves, 0, leaves / 2, radix / leaves};
  const int pods = leaves / up;
  if (whole_leaves && leaves % up == 0 && can_be_joined(pods, up))
    return {up, leaves, pods, up * pods / 2, radix / pods};
  throw UserError(
      place, std::to_string(nodes) + " nodes cannot be joined by switches with " + std::to_string(radix) + " ports",
      "give one of " + possible_nodes(up));
}

Graph clos(int nodes, int radix) { return graph_of(ClosSizes::of_nodes(nodes, radix, default_place)); }

ClosSizes clos_sizes(const Graph& graph, const std::string& reader) {
  if (graph.family != family || graph.shape.size() != 2)
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' is not a Clos", "use it on topology clos");
  return ClosSizes::of_nodes(graph.shape[0], graph.shape[1], default_place);
}

}  // namespace sanvp::topologies
