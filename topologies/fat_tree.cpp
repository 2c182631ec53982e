#include "topologies/fat_tree.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "fat_tree";

Graph graph_of(const KaryTree& tree) {
  Graph graph;
  graph.family = family;
  graph.shape = {tree.arity, tree.levels, tree.top_arity};
  if (!tree.is_full())
    for (int level = 0; level < tree.levels - 1; ++level) graph.shape.push_back(tree.up_links(level));
  add_kary_tree(graph, tree, "", {}, 2 * tree.arity);
  return graph;
}

constexpr std::size_t numbers_before_up_links = 3;
constexpr const char* as_many_as_down = "full";

/// "2" or "4,2".
std::vector<int> parse_up_links(const std::string& text, const std::string& place) {
  std::vector<int> up_links;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::int64_t up = parse_count(std::string(trimmed(text.substr(begin, end - begin))), place);
    up_links.push_back(static_cast<int>(std::clamp<std::int64_t>(up, -1, most_ports)));
    begin = end + 1;
  }
  return up_links;
}

Graph build(const Parameters& parameters, std::uint64_t) {
  const auto arity =
      parameters.count("arity", 4, "links down of a switch, and as many up", "QsNET paper 2.2", 2, most_ports / 2);
  const auto levels = parameters.count("levels", 3, "levels of switches", "QsNET paper 4 (64 nodes)", 1, most_levels);
  const auto nodes = parameters.count("nodes", 0, "hosts; 0 for arity^levels, fewer with a top level of reduced arity",
                                      "QsNET paper 5.3 (16, 32 and 64 nodes)", 0, most_hosts);
  const std::string up_links = parameters.text(
      "up_links", as_many_as_down,
      "cables up of each switch: a number, or one for each level below the top, from the leaves on (4,2); full: arity",
      "assumed: slimmed trees (Leiserson, IEEE Trans. Computers C-34(10), 1985, section III)");
  const KaryTree tree = KaryTree::of_size(static_cast<int>(arity), static_cast<int>(levels), static_cast<int>(nodes),
                                          parameters.place(nodes > 0 ? "nodes" : "levels"));
  if (up_links == as_many_as_down) return graph_of(tree);
  const std::string where = parameters.where("up_links");
  return graph_of(tree.slimmed(parse_up_links(up_links, where), where));
}

const Registration<TopologyPart> registration{
    {family, "k-ary n-tree of switches with 2k ports (QsNET), also slimmed", build}};

}  // namespace

Graph fat_tree(int arity, int levels, int nodes, const std::vector<int>& up_links) {
  const std::string place = "topology fat_tree";
  const KaryTree tree = KaryTree::of_size(arity, levels, nodes, place);
  return graph_of(up_links.empty() ? tree : tree.slimmed(up_links, place));
}

bool is_fat_tree(const Graph& graph) { return graph.family == family; }

KaryTree fat_tree_geometry(const Graph& graph, const std::string& reader) {
  if (!is_fat_tree(graph))
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' is not a fat tree",
                          "use it on topology fat_tree");
  return {graph.shape[0], graph.shape[1], graph.shape[2], std::span(graph.shape).subspan(numbers_before_up_links)};
}

}  // namespace sanvp::topologies
