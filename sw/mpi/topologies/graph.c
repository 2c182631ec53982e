/* Graphs: node i's neighbours are edges[index[i - 1] .. index[i]). Ranks are not reordered. */
#include <stdlib.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/topologies/topology.h"

static int check_graph(const char* call, int nodes, const int* index, const int* edges) {
  if (nodes < 0) return mpi_fail(call, MPI_ERR_ARG, "there are %d nodes; it must be 0 or more", nodes);
  if (nodes > 0 && !index) return mpi_fail(call, MPI_ERR_ARG, "the index is a null pointer; pass %d numbers", nodes);
  for (int i = 0; i < nodes; ++i)
    if (index[i] < (i > 0 ? index[i - 1] : 0))
      return mpi_fail(call, MPI_ERR_ARG, "index %d is %d, less than the one before it; it counts edges so far", i,
                      index[i]);
  for (int i = 0; nodes > 0 && i < index[nodes - 1]; ++i)
    if (!edges || edges[i] < 0 || edges[i] >= nodes)
      return mpi_fail(call, MPI_ERR_ARG, "edge %d does not go to a node of 0..%d", i, nodes - 1);
  return MPI_SUCCESS;
}

/* ---- MPI_Graph_create ---- */
int MPI_Graph_create(MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made) {
  (void)reorder;
  MPI_TRY(mpi_check_intra("MPI_Graph_create", comm));
  MPI_TRY(mpi_check_result("MPI_Graph_create", made));
  MPI_TRY(check_graph("MPI_Graph_create", nodes, index, edges));
  MPI_TRY(mpi_comm_first("MPI_Graph_create", comm, nodes, made));
  if (*made == MPI_COMM_NULL) return MPI_SUCCESS;
  struct mpi_topology* graph = mpi_zeroed_memory(sizeof *graph);
  graph->kind = MPI_GRAPH;
  graph->dimensions = nodes;
  graph->index = mpi_copy_integers(index, nodes);
  graph->edges = mpi_copy_integers(edges, index[nodes - 1]);
  (*made)->topology = graph;
  return MPI_SUCCESS;
}

/* ---- MPI_Graph_map ---- */
int MPI_Graph_map(MPI_Comm comm, int nodes, const int* index, const int* edges, int* rank) {
  MPI_TRY(mpi_check_intra("MPI_Graph_map", comm));
  MPI_TRY(mpi_check_result("MPI_Graph_map", rank));
  MPI_TRY(check_graph("MPI_Graph_map", nodes, index, edges));
  *rank = comm->rank < nodes ? comm->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* ---- MPI_Graphdims_get, MPI_Graph_get ---- */
int MPI_Graphdims_get(MPI_Comm comm, int* nodes, int* edges) {
  MPI_TRY(mpi_check_topology("MPI_Graphdims_get", comm, MPI_GRAPH));
  MPI_TRY(mpi_check_result("MPI_Graphdims_get", nodes && edges ? nodes : NULL));
  *nodes = comm->topology->dimensions;
  *edges = comm->topology->index[*nodes - 1];
  return MPI_SUCCESS;
}

int MPI_Graph_get(MPI_Comm comm, int index_most, int edges_most, int* index, int* edges) {
  MPI_TRY(mpi_check_topology("MPI_Graph_get", comm, MPI_GRAPH));
  MPI_TRY(mpi_check_result("MPI_Graph_get", index && edges ? index : NULL));
  const struct mpi_topology* graph = comm->topology;
  for (int i = 0; i < graph->dimensions && i < index_most; ++i) index[i] = graph->index[i];
  for (int i = 0; i < graph->index[graph->dimensions - 1] && i < edges_most; ++i) edges[i] = graph->edges[i];
  return MPI_SUCCESS;
}

/* ---- MPI_Graph_neighbors_count, MPI_Graph_neighbors ---- */
static int first_edge(const struct mpi_topology* graph, int node) { return node > 0 ? graph->index[node - 1] : 0; }

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* count) {
  MPI_TRY(mpi_check_topology("MPI_Graph_neighbors_count", comm, MPI_GRAPH));
  MPI_TRY(mpi_check_rank("MPI_Graph_neighbors_count", rank, comm));
  MPI_TRY(mpi_check_result("MPI_Graph_neighbors_count", count));
  *count = comm->topology->index[rank] - first_edge(comm->topology, rank);
  return MPI_SUCCESS;
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int* neighbors) {
  MPI_TRY(mpi_check_topology("MPI_Graph_neighbors", comm, MPI_GRAPH));
  MPI_TRY(mpi_check_rank("MPI_Graph_neighbors", rank, comm));
  const struct mpi_topology* graph = comm->topology;
  const int first = first_edge(graph, rank);
  for (int i = 0; first + i < graph->index[rank] && i < most; ++i) neighbors[i] = graph->edges[first + i];
  return MPI_SUCCESS;
}
