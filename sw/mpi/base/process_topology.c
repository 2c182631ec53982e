/* Copying and freeing of the grid or graph of a communicator. */
#include "sw/mpi/base/process_topology.h"

#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/memory.h"
#include "sw/mpi/mpi.h"

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
