/// Parsytec's Mesh of Clos (Mesh of Clos paper 2, FACTS.md 4.2).
#pragma once

#include "topologies/graph.hpp"
#include "topologies/kary_tree.hpp"

namespace sanvp::topologies {

/// Directions of the 2D mesh, in the order of a mesh router's ports; row 0 is the northernmost, column 0 the
/// westernmost.
enum class Compass { north, east, south, west };
constexpr int compass_directions = 4;

/// Sizes of a Mesh of Clos(h, r): a Clos of height h whose r top stages are replaced by a 2D mesh. The remaining stages
/// form clusters, each a Clos of height h-r, that is a k-ary tree of h-r levels (kary_tree.hpp). Each of its k^(h-r-1)
/// top routers belongs to a mesh layer: layer i joins the i-th top routers of all clusters, and no others. Mesh routers
/// have k ports down and, from port k on, the ports north, east, south and west. (For k = 4 these are the 2k channels
/// of the definition. For k < 4 they are more; for k > 4 the other channels stay free.)
struct MeshOfClosSizes {
  KaryTree cluster;
  int rows = 0;
  int columns = 0;

  int clusters() const { return rows * columns; }
  int layers() const { return cluster.columns(cluster.levels - 1); }
  int hosts() const { return clusters() * cluster.hosts(); }
  int cluster_of(int host) const { return host / cluster.hosts(); }
  int row_of(int cluster_index) const { return cluster_index / columns; }
  int column_of(int cluster_index) const { return cluster_index % columns; }
  int mesh_router(int cluster_index, int layer) const {
    return cluster_index * cluster.switches() + cluster.switch_at(cluster.levels - 1, layer);
  }
  int mesh_port(Compass direction) const { return cluster.arity + static_cast<int>(direction); }
};

/// Family "mesh_of_clos", shape {k, h-r, rows, columns}. Clusters are numbered row by row; host p is in cluster p div
/// k^(h-r). A host's coordinates are {row, column, number in the cluster}, a switch's are {row, column, level, number
/// in the level}. Link classes: `host`, `cable` inside a cluster, `mesh` between clusters.
/// The paper's machines have k = 4: 4x4 (3,2), 2x2 (3,1) and 2x2 (2,1).
/// @param rows, columns  of clusters; both 0 for the k^r clusters of the definition, arranged as nearly square as
///              possible
Graph mesh_of_clos(int arity, int height, int replaced, int rows = 0, int columns = 0);

/// The sizes of a graph that mesh_of_clos() built; throws UnsuitableGraph for a graph of another family.
/// @param reader  what asks, for the message
MeshOfClosSizes mesh_of_clos_sizes(const Graph& graph, const std::string& reader = "routing");

}  // namespace sanvp::topologies
