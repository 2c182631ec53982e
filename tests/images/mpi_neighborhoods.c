/* Neighbourhood collectives on grids with and without ends, on graphs with several edges between two ranks and edges
 * to oneself, with weights; derived types with gaps, counts that differ; all nonblocking forms; mapping calls
 * (MPI-3.1, chapter 7). What arrives is a closed form of sender, receiver and edge. */
#include "tests/images/mpi_check.h"

enum { COUNT = 3, MOST = 16 };

static int value(int from, int edge, int i) { return from * 1009 + edge * 31 + i; }

/* ---- grids: 2 dimensions, one of them a ring ---- */
static MPI_Comm grid;
static int dims[2], periodic[2] = {1, 0};

static void make_grid(void) {
  dims[0] = dims[1] = 0;
  MPI_Dims_create(ranks, 2, dims);
  EXPECT(dims[0] * dims[1] == ranks && dims[0] >= dims[1]);
  EXPECT(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid) == MPI_SUCCESS);
}

/* In the order of neighbours: dimension by dimension, the one before, the one behind. */
static void grid_neighbors(int* of) {
  for (int d = 0; d < 2; ++d) MPI_Cart_shift(grid, d, 1, &of[2 * d], &of[2 * d + 1]);
}

static void on_a_grid(void) {
  int of[4], out[4 * COUNT], in[4 * COUNT];
  grid_neighbors(of);
  for (int i = 0; i < 4 * COUNT; ++i) out[i] = value(rank, i / COUNT, i % COUNT), in[i] = -1;
  EXPECT(MPI_Neighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, grid) == MPI_SUCCESS);
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < COUNT; ++i) EXPECT(in[n * COUNT + i] == (of[n] == MPI_PROC_NULL ? -1 : value(of[n], 0, i)));
  memset(in, 0xff, sizeof in);
  EXPECT(MPI_Neighbor_alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, grid) == MPI_SUCCESS);
  for (int n = 0; n < 4; ++n) /* what I get from the one before is what it gives to the one behind it */
    for (int i = 0; i < COUNT; ++i) EXPECT(in[n * COUNT + i] == (of[n] == MPI_PROC_NULL ? -1 : value(of[n], n ^ 1, i)));
}

/* A halo exchange of a field: columns have gaps, rows have none. */
static void halo(void) {
  enum { ROWS = 4, COLUMNS = 5, WIDTH = COLUMNS + 2 };
  int field[ROWS + 2][WIDTH], of[4];
  grid_neighbors(of);
  for (int y = 0; y < ROWS + 2; ++y)
    for (int x = 0; x < WIDTH; ++x) field[y][x] = y > 0 && y <= ROWS && x > 0 && x <= COLUMNS ? value(rank, y, x) : -1;
  MPI_Datatype row, column;
  MPI_Type_contiguous(COLUMNS, MPI_INT, &row);
  MPI_Type_vector(ROWS, 1, WIDTH, MPI_INT, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
#define AT(y, x) ((MPI_Aint)(((y)*WIDTH + (x)) * (int)sizeof(int)))
  const MPI_Aint from[4] = {AT(1, 1), AT(ROWS, 1), AT(1, 1), AT(1, COLUMNS)};
  const MPI_Aint to[4] = {AT(0, 1), AT(ROWS + 1, 1), AT(1, 0), AT(1, COLUMNS + 1)};
  const MPI_Datatype types[4] = {row, row, column, column};
  const int ones[4] = {1, 1, 1, 1};
  MPI_Request request;
  EXPECT(MPI_Ineighbor_alltoallw(field, ones, from, types, field, ones, to, types, grid, &request) == MPI_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int x = 1; x <= COLUMNS; ++x) {
    EXPECT(field[0][x] == value(of[0], ROWS, x)); /* a ring: there is always one */
    EXPECT(field[ROWS + 1][x] == value(of[1], 1, x));
  }
  for (int y = 1; y <= ROWS; ++y) {
    EXPECT(field[y][0] == (of[2] == MPI_PROC_NULL ? -1 : value(of[2], y, COLUMNS)));
    EXPECT(field[y][COLUMNS + 1] == (of[3] == MPI_PROC_NULL ? -1 : value(of[3], y, 1)));
  }
  EXPECT(field[0][0] == -1 && field[ROWS + 1][WIDTH - 1] == -1); /* corners are no one's */
  MPI_Type_free(&row);
  MPI_Type_free(&column);
}

/* ---- a graph: to oneself, twice to the right, once two further; each rank tells of its own edges ---- */
static MPI_Comm graph;
static int sources[4];

static void make_graph(void) {
  const int two_right = (rank + 2) % ranks, two_left = (rank + 2 * ranks - 2) % ranks;
  const int outs[4] = {rank, right, right, two_right}, weights[4] = {1, 2, 3, 4};
  const int ins[4] = {two_left, left, rank, left}, in_weights[4] = {4, 2, 1, 3};
  memcpy(sources, ins, sizeof ins);
  EXPECT(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, ins, in_weights, 4, outs, weights, MPI_INFO_NULL, 0,
                                        &graph) == MPI_SUCCESS);
  int in_count = 0, out_count = 0, weighted = 0, kind = 0, got[4], its_weights[4], there[4], those[4];
  EXPECT(MPI_Topo_test(graph, &kind) == MPI_SUCCESS && kind == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &in_count, &out_count, &weighted);
  EXPECT(in_count == 4 && out_count == 4 && weighted);
  MPI_Dist_graph_neighbors(graph, 4, got, its_weights, 4, there, those);
  EXPECT(memcmp(got, ins, sizeof ins) == 0 && memcmp(its_weights, in_weights, sizeof in_weights) == 0);
  EXPECT(memcmp(there, outs, sizeof outs) == 0 && memcmp(those, weights, sizeof weights) == 0);
}

/* Messages of several edges between two ranks come in the order of these edges at their sender and receiver. */
static int edge_of(int n) {
  int nth = 0, edge = -1; /* the n-th source is the nth-th of its rank */
  for (int i = 0; i < n; ++i) nth += sources[i] == sources[n];
  for (int e = 0; e < 4; ++e) {
    const int steps[4] = {0, 1, 1, 2};
    if ((sources[n] + steps[e]) % ranks == rank && nth-- == 0) {
      edge = e;
      break;
    }
  }
  return edge;
}

static void on_a_graph(void) {
  int out[4 * COUNT], in[4 * COUNT], counts[4], starts[4], in_counts[4], in_starts[4];
  for (int i = 0; i < 4 * COUNT; ++i) out[i] = value(rank, i / COUNT, i % COUNT), in[i] = -1;
  EXPECT(MPI_Neighbor_alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, graph) == MPI_SUCCESS);
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < COUNT; ++i) EXPECT(in[n * COUNT + i] == value(sources[n], edge_of(n), i));
  EXPECT(MPI_Neighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, graph) == MPI_SUCCESS);
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < COUNT; ++i) EXPECT(in[n * COUNT + i] == value(sources[n], 0, i));
  /* Edge e carries e elements, from the end of the buffer to its begin. */
  for (int e = 0; e < 4; ++e) {
    counts[e] = e;
    starts[e] = e * COUNT;
    in_counts[e] = edge_of(e);
    in_starts[e] = (3 - e) * COUNT;
  }
  memset(in, 0xff, sizeof in);
  MPI_Request requests[3];
  int gathered[4], mine = value(rank, 7, 7), all[4 * COUNT];
  EXPECT(MPI_Ineighbor_alltoallv(out, counts, starts, MPI_INT, in, in_counts, in_starts, MPI_INT, graph,
                                 &requests[0]) == MPI_SUCCESS);
  EXPECT(MPI_Ineighbor_allgather(&mine, 1, MPI_INT, gathered, 1, MPI_INT, graph, &requests[1]) == MPI_SUCCESS);
  EXPECT(MPI_Ineighbor_alltoall(out, COUNT, MPI_INT, all, COUNT, MPI_INT, graph, &requests[2]) == MPI_SUCCESS);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int n = 0; n < 4; ++n) {
    for (int i = 0; i < COUNT; ++i)
      EXPECT(in[in_starts[n] + i] == (i < in_counts[n] ? value(sources[n], edge_of(n), i) : -1));
    EXPECT(gathered[n] == value(sources[n], 7, 7));
    EXPECT(all[n * COUNT] == value(sources[n], edge_of(n), 0));
  }
  EXPECT(MPI_Neighbor_allgatherv(out, 2, MPI_INT, in, (const int[]){2, 2, 2, 2}, in_starts, MPI_INT, graph) ==
         MPI_SUCCESS);
  for (int n = 0; n < 4; ++n) EXPECT(in[in_starts[n] + 1] == value(sources[n], 0, 1));
}

/* Edges that another rank tells of; without weights, with none at all. */
static void told_by_one(void) {
  MPI_Comm comm;
  int count = rank == 0 ? ranks : 0, in = -1, out = -1, weighted = -1;
  int* from = malloc(sizeof *from * (size_t)ranks);
  int* degrees = malloc(sizeof *degrees * (size_t)ranks);
  int* to = malloc(sizeof *to * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) from[r] = r, degrees[r] = 1, to[r] = ranks - 1 - r; /* a mirror */
  EXPECT(MPI_Dist_graph_create(MPI_COMM_WORLD, count, from, degrees, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm) ==
         MPI_SUCCESS);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  EXPECT(in == 1 && out == 1 && !weighted);
  int got = -1;
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &got, 1, MPI_INT, comm);
  EXPECT(got == ranks - 1 - rank);
  MPI_Comm_free(&comm);
  EXPECT(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                        MPI_INFO_NULL, 0, &comm) == MPI_SUCCESS);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  EXPECT(in == 0 && out == 0 && weighted);
  EXPECT(MPI_Neighbor_allgather(&rank, 1, MPI_INT, NULL, 1, MPI_INT, comm) == MPI_SUCCESS);
  MPI_Comm_free(&comm);
  /* Without edges there are no weights to point to; only MPI_UNWEIGHTED says that the graph has none. */
  EXPECT(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 0, &comm) == MPI_SUCCESS);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  EXPECT(in == 0 && out == 0 && weighted);
  MPI_Comm_free(&comm);
  EXPECT(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm) ==
         MPI_SUCCESS);
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  EXPECT(in == 0 && out == 0 && !weighted);
  MPI_Comm_free(&comm);
  free(from);
  free(degrees);
  free(to);
}

/* ---- the graphs of MPI-1: a star around rank 0 ---- */
static void star(void) {
  MPI_Comm comm;
  int* index = malloc(sizeof *index * (size_t)ranks);
  int* edges = malloc(sizeof *edges * (size_t)(2 * ranks));
  for (int i = 0; i < ranks - 1; ++i) edges[i] = i + 1, edges[ranks - 1 + i] = 0;
  for (int r = 0; r < ranks; ++r) index[r] = ranks - 1 + r;
  EXPECT(MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &comm) == MPI_SUCCESS);
  int nodes, count, place = -1;
  MPI_Graphdims_get(comm, &nodes, &count);
  EXPECT(nodes == ranks && count == 2 * (ranks - 1));
  MPI_Graph_neighbors_count(comm, rank, &count);
  EXPECT(count == (rank == 0 ? ranks - 1 : 1) || ranks == 1);
  int* in = malloc(sizeof *in * (size_t)ranks);
  EXPECT(MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm) == MPI_SUCCESS);
  for (int i = 0; i < count; ++i) EXPECT(in[i] == (rank == 0 ? i + 1 : 0));
  EXPECT(MPI_Graph_map(MPI_COMM_WORLD, ranks, index, edges, &place) == MPI_SUCCESS && place >= 0 && place < ranks);
  MPI_Comm_free(&comm);
  free(index);
  free(edges);
  free(in);
}

static void parts_of_grids(void) {
  MPI_Comm row;
  int place = -1, its_rank = -1, coords[2], size = 0, of = -1;
  EXPECT(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periodic, &place) == MPI_SUCCESS && place >= 0 && place < ranks);
  MPI_Cart_coords(grid, rank, 2, coords);
  const int beyond[2] = {coords[0] + 3 * dims[0], coords[1]}; /* goes around */
  EXPECT(MPI_Cart_rank(grid, beyond, &of) == MPI_SUCCESS && of == rank);
  EXPECT(MPI_Cart_sub(grid, (const int[]){0, 1}, &row) == MPI_SUCCESS);
  MPI_Comm_rank(row, &its_rank);
  MPI_Comm_size(row, &size);
  EXPECT(its_rank == coords[1] && size == dims[1]);
  int sum = -1;
  MPI_Allreduce(&coords[0], &sum, 1, MPI_INT, MPI_SUM, row);
  EXPECT(sum == coords[0] * size); /* all of my row */
  MPI_Comm_free(&row);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  make_grid();
  on_a_grid();
  halo();
  parts_of_grids();
  make_graph();
  on_a_graph();
  told_by_one();
  star();
  MPI_Comm_free(&grid);
  MPI_Comm_free(&graph);
  return finish();
}
