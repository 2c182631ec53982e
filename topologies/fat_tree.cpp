#include "topologies/fat_tree.hpp"

#include "platform/core/error.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "fat_tree";

Graph graph_of(const KaryTree& tree) {
  Graph graph;
  graph.family = family;
  graph.shape = {tree.arity, tree.levels, tree.top_arity};
  add_kary_tree(graph, tree, "", {}, 2 * tree.arity);
  return graph;
}

Graph build(const Parameters& parameters, std::uint64_t) {
  const auto arity =
      parameters.count("arity", 4, "links down of a switch, and as many up", "QsNET paper 2.2", 2, most_ports / 2);
  const auto levels = parameters.count("levels", 3, "levels of switches", "QsNET paper 4 (64 nodes)", 1, most_levels);
  const auto nodes = parameters.count("nodes", 0, "hosts; 0 for arity^levels, fewer with a top level of reduced arity",
                                      "QsNET paper 5.3 (16, 32 and 64 nodes)", 0, most_hosts);
  return graph_of(KaryTree::of_size(static_cast<int>(arity), static_cast<int>(levels), static_cast<int>(nodes),
                                    parameters.place(nodes > 0 ? "nodes" : "levels")));
}

const Registration<TopologyPart> registration{{family, "k-ary n-tree of switches with 2k ports (QsNET)", build}};

}  // namespace

Graph fat_tree(int arity, int levels, int nodes) {
  return graph_of(KaryTree::of_size(arity, levels, nodes, "topology fat_tree"));
}

bool is_fat_tree(const Graph& graph) { return graph.family == family && graph.shape.size() == 3; }

KaryTree fat_tree_geometry(const Graph& graph) {
  if (!is_fat_tree(graph))
    throw UserError("routing", "the graph is of family '" + graph.family + "', not '" + family + "'",
                    "choose a routing that fits the topology, or topology fat_tree");
  return {graph.shape[0], graph.shape[1], graph.shape[2]};
}

}  // namespace sanvp::topologies
