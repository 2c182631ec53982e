/* The grid or graph of a communicator. */
#ifndef SANVP_MPI_PROCESS_TOPOLOGY_H
#define SANVP_MPI_PROCESS_TOPOLOGY_H

/* A rank's sources and destinations. */
struct mpi_neighbors {
  int in, out;
  int *from, *to;                 /* [in], [out] */
  int *from_weights, *to_weights; /* of a graph that is weighted */
  int weighted;
};

struct mpi_topology {
  int kind;                           /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
  int dimensions;                     /* of a grid; nodes of a graph */
  int *sizes, *periods, *coordinates; /* [dimensions] of a grid; coordinates of this rank */
  int *index, *edges;                 /* of a graph, as in MPI_Graph_create */
  struct mpi_neighbors neighbors;     /* of a distributed graph */
};

struct mpi_topology* mpi_topology_copy(const struct mpi_topology* topology);
void mpi_topology_free(struct mpi_topology* topology);

/* A copy of `count` integers; zeros where `from` is null. */
int* mpi_copy_integers(const int* from, int count);

#endif
