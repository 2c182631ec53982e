/* Collective operations among the neighbours of grids and graphs, of which two may be neighbours twice. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MOST = 64, EACH = 3 };
static int size;

/* What rank `from` sends as its block `index`, element k. */
static int word(int from, int index, int k) { return from * 10000 + index * 100 + k; }

/* ---- grids: what goes to the lower neighbour comes from its upper one ---- */
static void on_grid(MPI_Comm grid, int dimensions) {
  int self, out[MOST * EACH], in[MOST * EACH], neighbors[MOST];
  const int count = 2 * dimensions;
  MPI_Request request;
  MPI_Comm_rank(grid, &self);
  for (int d = 0; d < dimensions; ++d) MPI_Cart_shift(grid, d, 1, &neighbors[2 * d], &neighbors[2 * d + 1]);
  for (int i = 0; i < count * EACH; ++i) out[i] = word(self, i / EACH, i % EACH);
  for (int later = 0; later < 2; ++later) {
    for (int i = 0; i < count * EACH; ++i) in[i] = -1;
    if (later)
      MPI_Ineighbor_alltoall(out, EACH, MPI_INT, in, EACH, MPI_INT, grid, &request);
    else
      MPI_Neighbor_alltoall(out, EACH, MPI_INT, in, EACH, MPI_INT, grid);
    if (later) MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < EACH; ++k)
        CHECK(in[i * EACH + k] == (neighbors[i] == MPI_PROC_NULL ? -1 : word(neighbors[i], i ^ 1, k)));
    for (int i = 0; i < count * EACH; ++i) in[i] = -1;
    if (later)
      MPI_Ineighbor_allgather(out, EACH, MPI_INT, in, EACH, MPI_INT, grid, &request);
    else
      MPI_Neighbor_allgather(out, EACH, MPI_INT, in, EACH, MPI_INT, grid);
    if (later) MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count * EACH; ++i)
      CHECK(in[i] == (neighbors[i / EACH] == MPI_PROC_NULL ? -1 : word(neighbors[i / EACH], 0, i % EACH)));
  }
}

static void grids(void) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions)
    for (int periodic = 0; periodic < 2; ++periodic) {
      int sizes[3] = {0, 0, 0}, periods[3] = {periodic, !periodic, periodic};
      MPI_Comm grid, copy;
      MPI_Dims_create(size, dimensions, sizes);
      MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 1, &grid);
      on_grid(grid, dimensions);
      MPI_Comm_dup(grid, &copy);
      on_grid(copy, dimensions);
      MPI_Comm_free(&grid);
      MPI_Comm_free(&copy);
    }
}

/* ---- a graph: rank r sends to r+1, and to r+2 twice; blocks of all lengths ---- */
static void v_and_w(MPI_Comm graph, const int* from, int in_count, const int* to, int out_count) {
  int out[MOST], in[MOST], out_counts[8], out_offsets[8], in_counts[8], in_offsets[8];
  MPI_Request request;
  MPI_Aint out_bytes[8], in_bytes[8];
  MPI_Datatype types[8], pairs;
  memset(out, 0, sizeof out);
  for (int i = 0; i < out_count; ++i) {
    out_counts[i] = (rank + to[i]) % 3; /* both sides know */
    out_offsets[i] = 4 * i;
    out_bytes[i] = (MPI_Aint)sizeof(int) * 4 * i;
    for (int k = 0; k < 3; ++k) out[4 * i + k] = word(rank, i, k);
  }
  for (int i = 0; i < in_count; ++i) {
    in_counts[i] = (rank + from[i]) % 3;
    in_offsets[i] = 5 * i;
    in_bytes[i] = (MPI_Aint)sizeof(int) * 5 * i;
    types[i] = MPI_INT;
  }
  for (int way = 0; way < 4; ++way) {
    for (int i = 0; i < MOST; ++i) in[i] = -1;
    if (way == 0)
      MPI_Neighbor_alltoallv(out, out_counts, out_offsets, MPI_INT, in, in_counts, in_offsets, MPI_INT, graph);
    if (way == 1)
      MPI_Ineighbor_alltoallv(out, out_counts, out_offsets, MPI_INT, in, in_counts, in_offsets, MPI_INT, graph,
                              &request);
    if (way == 2) MPI_Neighbor_alltoallw(out, out_counts, out_bytes, types, in, in_counts, in_bytes, types, graph);
    if (way == 3)
      MPI_Ineighbor_alltoallw(out, out_counts, out_bytes, types, in, in_counts, in_bytes, types, graph, &request);
    if (way % 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < in_count; ++i)
      for (int k = 0; k < 5; ++k) /* the i-th that I hear is the i-th that it says: -1, -2, -2 */
        CHECK(in[5 * i + k] == (k < in_counts[i] ? word(from[i], i, k) : -1));
  }
  /* Pairs of ints apart, and counts that differ by neighbour. */
  MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &pairs);
  MPI_Type_commit(&pairs);
  for (int way = 0; way < 2; ++way) {
    for (int i = 0; i < MOST; ++i) in[i] = -1;
    for (int i = 0; i < in_count; ++i) in_counts[i] = 2, in_offsets[i] = 3 * i;
    if (way == 0)
      MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, in_counts, in_offsets, pairs, graph);
    else
      MPI_Ineighbor_allgatherv(out, 2, MPI_INT, in, in_counts, in_offsets, pairs, graph, &request);
    if (way) MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < in_count; ++i)
      for (int k = 0; k < 6; ++k) CHECK(in[6 * i + k] == (k == 0 || k == 2 ? word(from[i], 0, k / 2) : -1));
  }
  MPI_Type_free(&pairs);
}

/* Each rank knows edges of others, of itself, and some twice: rank r says that r + 1, r + 2, ... have edges to r + 3,
 * r + 4, ... , each with a weight that names the rank that said so. What each end hears is worked out from that. */
static void told_by_others(void) {
  enum { FROM = 5, TO = 7 };
  const int edges = FROM * TO;
  int nodes[FROM], degrees[FROM], *ends = malloc(edges * sizeof(int)), *weights = malloc(edges * sizeof(int));
  int in, out, weighted, heard = 0, said = 0;
  MPI_Comm graph;
  for (int i = 0; i < FROM; ++i) {
    nodes[i] = (rank + 1 + i) % size;
    degrees[i] = TO;
    for (int j = 0; j < TO; ++j)
      ends[TO * i + j] = (rank + 3 + j) % size, weights[TO * i + j] = 1000 * rank + TO * i + j;
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, FROM, nodes, degrees, ends, weights, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK(in == edges && out == edges && weighted); /* as many as one says: each rank is as far from as many others */
  int from[FROM * TO], from_weights[FROM * TO], to[FROM * TO], to_weights[FROM * TO];
  MPI_Dist_graph_neighbors(graph, edges, from, from_weights, edges, to, to_weights);
  for (int teller = 0; teller < size; ++teller)
    for (int i = 0; i < FROM; ++i)
      for (int j = 0; j < TO; ++j) {
        const int source = (teller + 1 + i) % size, end = (teller + 3 + j) % size, weight = 1000 * teller + TO * i + j;
        if (end == rank) CHECK(from[heard] == source && from_weights[heard] == weight), ++heard;
        if (source == rank) CHECK(to[said] == end && to_weights[said] == weight), ++said;
      }
  CHECK(heard == edges && said == edges);
  MPI_Comm_free(&graph);
  free(ends), free(weights);
}

static void graphs(void) {
  const int from[] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size, (rank + 2 * size - 2) % size};
  const int to[] = {(rank + 1) % size, (rank + 2) % size, (rank + 2) % size};
  int in, out, weighted, got_from[3], got_to[3];
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, MPI_UNWEIGHTED, 3, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(graph, 3, got_from, MPI_UNWEIGHTED, 3, got_to, MPI_UNWEIGHTED);
  CHECK(in == 3 && out == 3 && !weighted && !memcmp(got_from, from, sizeof from) && !memcmp(got_to, to, sizeof to));
  v_and_w(graph, from, 3, to, 3);
  MPI_Comm_free(&graph);

  /* Rank 0 alone knows a star; the leaves are its neighbours, and it theirs. No other has any: a process without
   * neighbours. */
  int *nodes = malloc(2 * size * sizeof(int)), *ends = malloc(2 * size * sizeof(int)),
      *ones = malloc(2 * size * sizeof(int));
  int *weights = malloc(2 * size * sizeof(int)), edges = 0, *values = malloc(size * sizeof(int));
  for (int leaf = 1; rank == 0 && leaf < size - 1; ++leaf)
    for (int away = 0; away < 2; ++away, ++edges) {
      nodes[edges] = away ? 0 : leaf;
      ends[edges] = away ? leaf : 0;
      ones[edges] = 1;
      weights[edges] = 10 * leaf + away;
    }
  MPI_Dist_graph_create(MPI_COMM_WORLD, edges, nodes, ones, ends, rank == 0 ? weights : MPI_WEIGHTS_EMPTY,
                        MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  const int leaves = size > 2 ? size - 2 : 0;
  CHECK(in == out && in == (rank == 0 ? leaves : rank < size - 1 ? 1 : 0));
  CHECK(weighted || leaves == 0);
  MPI_Dist_graph_neighbors(graph, in, nodes, ones, out, ends, weights);
  for (int i = 0; i < in; ++i) {
    const int leaf = rank == 0 ? nodes[i] : rank;
    CHECK(ones[i] == 10 * leaf + (rank != 0));
    CHECK(weights[i] == 10 * (rank == 0 ? ends[i] : rank) + (rank == 0));
  }
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, graph);
  for (int i = 0; i < in; ++i) CHECK(values[i] == nodes[i]);
  MPI_Comm_free(&graph);

  /* MPI-1's graph: a ring. */
  for (int r = 0; r < size; ++r) {
    nodes[r] = 2 * (r + 1);
    ends[2 * r] = (r + size - 1) % size;
    ends[2 * r + 1] = (r + 1) % size;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, nodes, ends, 0, &graph);
  int both[2] = {-1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, both, 1, MPI_INT, graph);
  CHECK(both[0] == (rank + size - 1) % size && both[1] == (rank + 1) % size);
  MPI_Comm_free(&graph);
  free(nodes), free(ends), free(ones), free(weights), free(values);
}

/* ---- some have no neighbours, so null pointers for their lists: what an empty std::vector has ---- */
static void alone(void) {
  const int first = rank < 2 && size > 1, other = !rank, one = 1, none = 0; /* ranks 0 and 1 */
  const int *list = first ? &other : NULL, *count = first ? &one : NULL, *offset = first ? &none : NULL;
  const MPI_Aint start = 0, *bytes = first ? &start : NULL;
  const MPI_Datatype type = MPI_INT, *types = first ? &type : NULL;
  int in, *place = first ? &in : NULL;
  MPI_Request request;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, first, list, MPI_UNWEIGHTED, first, list, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  for (int way = 0; way < 6; ++way) {
    in = -1;
    if (way == 0) MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, place, count, offset, MPI_INT, graph);
    if (way == 1) MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, place, count, offset, MPI_INT, graph, &request);
    if (way == 2) MPI_Neighbor_alltoallv(&rank, count, offset, MPI_INT, place, count, offset, MPI_INT, graph);
    if (way == 3)
      MPI_Ineighbor_alltoallv(&rank, count, offset, MPI_INT, place, count, offset, MPI_INT, graph, &request);
    if (way == 4) MPI_Neighbor_alltoallw(&rank, count, bytes, types, place, count, bytes, types, graph);
    if (way == 5) MPI_Ineighbor_alltoallw(&rank, count, bytes, types, place, count, bytes, types, graph, &request);
    if (way % 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in == (first ? other : -1));
  }
  if (first) { /* a rank with neighbours needs its counts */
    int class;
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Neighbor_alltoallv(&rank, NULL, NULL, MPI_INT, &in, &one, &none, MPI_INT, graph), &class);
    CHECK(class == MPI_ERR_ARG);
  }
  MPI_Comm_free(&graph);
}

/* ---- 64 KiB to each, of a grid whose neighbours are all the same process or two ---- */
static void large(void) {
  enum { WORDS = 16384 };
  const int sizes[] = {size}, periods[] = {1};
  int *out = malloc(2 * WORDS * sizeof(int)), *in = malloc(2 * WORDS * sizeof(int)), class;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
  for (int i = 0; i < 2 * WORDS; ++i) out[i] = word(rank, i / WORDS, i % WORDS);
  MPI_Neighbor_alltoall(out, WORDS, MPI_INT, in, WORDS, MPI_INT, ring);
  for (int i = 0; i < WORDS; ++i) CHECK(in[i] == word((rank + size - 1) % size, 1, i));
  for (int i = 0; i < WORDS; ++i) CHECK(in[WORDS + i] == word((rank + 1) % size, 0, i));
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, ring), &class);
  CHECK(class == MPI_ERR_BUFFER);
  MPI_Comm_free(&ring);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD), &class);
  CHECK(class == MPI_ERR_TOPOLOGY);
  free(out), free(in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  grids();
  graphs();
  told_by_others();
  alone();
  large();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS neighbors on %d ranks\n", size);
  return MPI_Finalize();
}
