/* What all topologies share: copying, freeing, and MPI_Dims_create. */
#include "sw/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

int* mpi_copy_integers(const int* from, int count) {
  int* copy = mpi_zeroed_memory((size_t)count * sizeof *copy);
  if (from && count > 0) memcpy(copy, from, (size_t)count * sizeof *copy);
  return copy;
}

struct mpi_topology* mpi_topology_copy(const struct mpi_topology* topology) {
  if (!topology) return NULL;
  struct mpi_topology* copy = mpi_memory(sizeof *copy);
  *copy = *topology;
  if (copy->kind == MPI_CART) {
    copy->sizes = mpi_copy_integers(topology->sizes, topology->dimensions);
    copy->periods = mpi_copy_integers(topology->periods, topology->dimensions);
    copy->coordinates = mpi_copy_integers(topology->coordinates, topology->dimensions);
  } else if (copy->kind == MPI_DIST_GRAPH) {
    struct mpi_neighbors* own = &copy->neighbors;
    own->from = mpi_copy_integers(own->from, own->in);
    own->to = mpi_copy_integers(own->to, own->out);
    own->from_weights = mpi_copy_integers(own->from_weights, own->in);
    own->to_weights = mpi_copy_integers(own->to_weights, own->out);
  } else {
    copy->index = mpi_copy_integers(topology->index, topology->dimensions);
    copy->edges = mpi_copy_integers(topology->edges, topology->index[topology->dimensions - 1]);
  }
  return copy;
}

void mpi_topology_free(struct mpi_topology* topology) {
  if (!topology) return;
  free(topology->sizes);
  free(topology->periods);
  free(topology->coordinates);
  free(topology->index);
  free(topology->edges);
  free(topology->neighbors.from);
  free(topology->neighbors.to);
  free(topology->neighbors.from_weights);
  free(topology->neighbors.to_weights);
  free(topology);
}

int mpi_check_topology(const char* call, MPI_Comm comm, int kind) {
  MPI_TRY(mpi_check_comm(call, comm));
  static const char* const names[] = {
      [MPI_CART] = "grid", [MPI_GRAPH] = "graph", [MPI_DIST_GRAPH] = "distributed graph"};
  static const char* const calls[] = {[MPI_CART] = "Cart", [MPI_GRAPH] = "Graph", [MPI_DIST_GRAPH] = "Dist_graph"};
  if (!comm->topology || comm->topology->kind != kind)
    return mpi_fail(call, MPI_ERR_TOPOLOGY, "the communicator is not a %s; make one with MPI_%s_create", names[kind],
                    calls[kind]);
  return MPI_SUCCESS;
}

/* The first `size` ranks, in the same order: the first ranks of a group are close to each other in all machines. */
int mpi_comm_first(const char* call, MPI_Comm comm, int size, MPI_Comm* made) {
  if (size > comm->size)
    return mpi_fail(call, MPI_ERR_ARG, "%d processes are asked for, the communicator has %d; make it smaller", size,
                    comm->size);
  uint32_t context = 0;
  MPI_TRY(mpi_agree_context(comm, &context));
  *made = MPI_COMM_NULL;
  if (comm->rank >= size) return MPI_SUCCESS;
  unsigned* processes = mpi_memory((size_t)size * sizeof *processes);
  for (int i = 0; i < size; ++i) processes[i] = mpi_process(comm, i);
  *made = mpi_comm_new(comm, context, comm->rank, size, processes);
  return MPI_SUCCESS;
}

/* ---- MPI_Topo_test ---- */
int MPI_Topo_test(MPI_Comm comm, int* kind) {
  MPI_TRY(mpi_check_comm("MPI_Topo_test", comm));
  MPI_TRY(mpi_check_result("MPI_Topo_test", kind));
  *kind = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* ---- MPI_Dims_create ---- */
/* Writes `nodes` as a product of `count` factors, each at most the one before it, the first at most `most`: as close to
 * each other as possible: the smallest first factor, then the smallest second one. Returns 0 if there are none. */
static int factors(int nodes, int count, int most, int* out) {
  if (count == 0) return nodes == 1;
  for (int factor = 1; factor <= most && factor <= nodes; ++factor) {
    int64_t reach = 1; /* largest product of the factors, none larger than this one */
    for (int i = 0; i < count && reach < nodes; ++i) reach *= factor;
    if (nodes % factor != 0 || reach < nodes) continue;
    out[0] = factor;
    if (factors(nodes / factor, count - 1, factor, out + 1)) return 1;
  }
  return 0;
}

int MPI_Dims_create(int nodes, int dimensions, int* sizes) {
  static const char call[] = "MPI_Dims_create";
  MPI_TRY(mpi_check_running(call));
  if (nodes < 1 || dimensions < 0 || (dimensions > 0 && !sizes))
    return mpi_fail(call, MPI_ERR_DIMS, "%d nodes in %d dimensions cannot be; both must be 1 or more", nodes,
                    dimensions);
  int rest = nodes, open = 0;
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 0) return mpi_fail(call, MPI_ERR_DIMS, "size %d of dimension %d is negative", sizes[d], d);
    if (sizes[d] == 0)
      ++open;
    else if (rest % sizes[d] != 0)
      return mpi_fail(call, MPI_ERR_DIMS, "%d nodes cannot be divided by the sizes that are given; set some to 0",
                      nodes);
    else
      rest /= sizes[d];
  }
  if (open == 0 && rest != 1)
    return mpi_fail(call, MPI_ERR_DIMS, "the sizes that are given do not make %d nodes; set some to 0", nodes);
  int* found = mpi_copy_integers(NULL, open);
  factors(rest, open, rest, found);
  for (int d = 0, next = 0; d < dimensions; ++d)
    if (sizes[d] == 0) sizes[d] = found[next++];
  free(found);
  return MPI_SUCCESS;
}
