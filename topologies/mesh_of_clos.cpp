#include "topologies/mesh_of_clos.hpp"

#include <algorithm>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/limits.hpp"
#include "topologies/parts.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

constexpr const char* family = "mesh_of_clos";

MeshOfClosSizes sizes_of(int arity, int height, int replaced, int rows, int columns, const std::string& place) {
  if (replaced < 1 || replaced >= height)
    throw UserError(place,
                    "a mesh cannot replace " + std::to_string(replaced) + " of " + std::to_string(height) + " stages",
                    "replace one or more and keep one or more; a pure Clos is topology fat_tree");
  const KaryTree cluster = KaryTree::of_size(arity, height - replaced, 0, place);
  if ((rows == 0) != (columns == 0) || rows < 0 || columns < 0)
    throw UserError(place, std::to_string(rows) + " x " + std::to_string(columns) + " clusters are not possible",
                    "give both rows and columns, or neither");
  if (rows == 0) {
    const int clusters = bounded_power(arity, replaced);
    rows = 1;
    for (int divisor = 2; divisor <= clusters / divisor; ++divisor)
      if (clusters % divisor == 0) rows = divisor;
    columns = clusters / rows;
  }
  if (columns > most_hosts / cluster.hosts() / rows)
    throw UserError(place,
                    std::to_string(rows) + " x " + std::to_string(columns) + " clusters of " +
                        std::to_string(cluster.hosts()) + " hosts are too many",
                    "at most " + std::to_string(most_hosts) + " hosts are built");
  return {cluster, rows, columns};
}

void connect_layers(const MeshOfClosSizes& sizes, int cluster, int neighbour, Compass out, Compass in, Graph& graph) {
  for (int layer = 0; layer < sizes.layers(); ++layer)
    graph.connect(End::switch_(sizes.mesh_router(cluster, layer), sizes.mesh_port(out)),
                  End::switch_(sizes.mesh_router(neighbour, layer), sizes.mesh_port(in)), "mesh");
}

Graph graph_of(const MeshOfClosSizes& sizes) {
  const int arity = sizes.cluster.arity;
  Graph graph;
  graph.family = family;
  graph.shape = {arity, sizes.cluster.levels, sizes.rows, sizes.columns};
  const int mesh_router_ports = arity + std::max(arity, compass_directions);
  for (int cluster = 0; cluster < sizes.clusters(); ++cluster)
    add_kary_tree(graph, sizes.cluster, "cluster " + std::to_string(cluster) + " ",
                  {sizes.row_of(cluster), sizes.column_of(cluster)}, mesh_router_ports);
  for (int cluster = 0; cluster < sizes.clusters(); ++cluster) {
    if (sizes.column_of(cluster) + 1 < sizes.columns)
      connect_layers(sizes, cluster, cluster + 1, Compass::east, Compass::west, graph);
    if (sizes.row_of(cluster) + 1 < sizes.rows)
      connect_layers(sizes, cluster, cluster + sizes.columns, Compass::south, Compass::north, graph);
  }
  return graph;
}

Graph build(const Parameters& parameters, std::uint64_t) {
  const char* const source = "Mesh of Clos paper 2 and 4 (the basic machine)";
  const auto count = [&](const char* name, std::int64_t fallback, const char* documentation, int least) {
    return static_cast<int>(parameters.count(name, fallback, documentation, source, least, most_hosts));
  };
  const int arity = count("arity", 4, "k: half of a router's channels", 2);
  const int height = count("height", 3, "h: height of the Clos that the machine is derived from", 2);
  const int replaced = count("replaced", 2, "r: top stages that the mesh replaces", 1);
  const int rows = count("rows", 0, "clusters from north to south; 0 with columns 0: arity^replaced clusters", 0);
  const int columns = count("columns", 0, "clusters from west to east", 0);
  return graph_of(sizes_of(arity, height, replaced, rows, columns, parameters.place("height")));
}

const Registration<TopologyPart> registration{
    {family, "Mesh of Clos(h, r): clusters of height h-r in layers of 2D meshes (Parsytec)", build}};

}  // namespace

Graph mesh_of_clos(int arity, int height, int replaced, int rows, int columns) {
  return graph_of(sizes_of(arity, height, replaced, rows, columns, "topology mesh_of_clos"));
}

MeshOfClosSizes mesh_of_clos_sizes(const Graph& graph, const std::string& reader) {
  if (graph.family != family || graph.shape.size() != 4)
    throw UnsuitableGraph(reader, "the topology '" + graph.family + "' is not a Mesh of Clos",
                          "use it on topology mesh_of_clos");
  return {KaryTree(graph.shape[0], graph.shape[1], graph.shape[0]), graph.shape[2], graph.shape[3]};
}

}  // namespace sanvp::topologies
