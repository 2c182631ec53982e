/* Grids and graphs of MPI. */
#include <limits.h>

#include "tests/images/mpi_check.h"

static void expect_dims(int nodes, int count, const int* given, const int* expected) {
  int sizes[4];
  memcpy(sizes, given, (size_t)count * sizeof *sizes);
  MPI_Dims_create(nodes, count, sizes);
  for (int d = 0; d < count; ++d) EXPECT(sizes[d] == expected[d]);
}

static void dims(void) {
  expect_dims(6, 2, (const int[]){0, 0}, (const int[]){3, 2}); /* the standard's own example, and the next three */
  expect_dims(7, 2, (const int[]){0, 0}, (const int[]){7, 1});
  expect_dims(6, 3, (const int[]){0, 3, 0}, (const int[]){2, 3, 1});
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(MPI_Dims_create(7, 3, (int[]){0, 3, 0}) == MPI_ERR_DIMS);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  expect_dims(64, 3, (const int[]){0, 0, 0}, (const int[]){4, 4, 4});
  expect_dims(12, 2, (const int[]){0, 0}, (const int[]){4, 3});
  expect_dims(16, 3, (const int[]){0, 0, 0}, (const int[]){4, 2, 2});
  expect_dims(36, 2, (const int[]){0, 0}, (const int[]){6, 6});
  expect_dims(1, 2, (const int[]){0, 0}, (const int[]){1, 1});
  expect_dims(24, 1, (const int[]){0}, (const int[]){24});
  expect_dims(24624, 3, (const int[]){0, 0, 0}, (const int[]){38, 27, 24});
  expect_dims(34425, 3, (const int[]){0, 0, 0}, (const int[]){51, 27, 25});
  expect_dims(2147483647, 2, (const int[]){0, 0}, (const int[]){2147483647, 1}); /* a prime */
}

/* The smallest difference between the largest and the smallest factor, of all ways to write a product. */
static int smallest_spread(int product, int factors, int least, int most) {
  int best = INT_MAX;
  if (factors == 1) {
    if (product < least) least = product;
    return (product > most ? product : most) - least;
  }
  for (int factor = 1; factor <= product; ++factor) {
    if (product % factor != 0) continue;
    const int spread =
        smallest_spread(product / factor, factors - 1, factor < least ? factor : least, factor > most ? factor : most);
    if (spread < best) best = spread;
  }
  return best;
}

static void closest_dims(void) {
  for (int nodes = 1; nodes <= 400; nodes += nodes < 100 ? 1 : 7)
    for (int count = 1; count <= 4; ++count) {
      int sizes[4] = {0}, product = 1;
      MPI_Dims_create(nodes, count, sizes);
      for (int d = 0; d < count; product *= sizes[d++]) EXPECT(d == 0 || sizes[d] <= sizes[d - 1]);
      EXPECT(product == nodes && sizes[0] - sizes[count - 1] == smallest_spread(nodes, count, nodes, 1));
    }
}

static void grids(void) {
  int sizes[2] = {0, 0}, got[2], periods[2], at[2], dimensions = 0, there = -1, kind = 0, self = -1;
  MPI_Comm grid, row;
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, (const int[]){0, 1}, 1, &grid);
  MPI_Comm_rank(grid, &self);
  MPI_Topo_test(grid, &kind);
  MPI_Cartdim_get(grid, &dimensions);
  MPI_Cart_get(grid, 2, got, periods, at);
  EXPECT(kind == MPI_CART && dimensions == 2 && got[0] == sizes[0] && got[1] == sizes[1]);
  EXPECT(!periods[0] && periods[1] && at[0] * sizes[1] + at[1] == self);
  for (int i = 0; i < ranks; ++i) {
    int where[2];
    MPI_Cart_coords(grid, i, 2, where);
    EXPECT(where[0] == i / sizes[1] && where[1] == i % sizes[1]);
    where[1] -= 3 * sizes[1]; /* around the periodic dimension */
    MPI_Cart_rank(grid, where, &there);
    EXPECT(there == i);
  }
  int up, down, west, east;
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &west, &east);
  EXPECT(up == (at[0] > 0 ? self - sizes[1] : MPI_PROC_NULL));
  EXPECT(down == (at[0] < sizes[0] - 1 ? self + sizes[1] : MPI_PROC_NULL));
  EXPECT(west == at[0] * sizes[1] + (at[1] + sizes[1] - 1) % sizes[1]);
  EXPECT(east == at[0] * sizes[1] + (at[1] + 1) % sizes[1]);
  int from_up = -7, from_west = -7;
  MPI_Sendrecv(&self, 1, MPI_INT, down, 1, &from_up, 1, MPI_INT, up, 1, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&self, 1, MPI_INT, east, 1, &from_west, 1, MPI_INT, west, 1, grid, MPI_STATUS_IGNORE);
  EXPECT(from_up == (up == MPI_PROC_NULL ? -7 : up) && from_west == west);
  MPI_Cart_sub(grid, (const int[]){0, 1}, &row);
  int its_rank, its_size, sum = 0, expected = 0;
  MPI_Comm_rank(row, &its_rank);
  MPI_Comm_size(row, &its_size);
  MPI_Cart_get(row, 1, got, periods, &there);
  EXPECT(its_size == sizes[1] && its_rank == at[1] && got[0] == sizes[1] && periods[0] && there == at[1]);
  MPI_Allreduce(&self, &sum, 1, MPI_INT, MPI_SUM, row);
  for (int i = 0; i < sizes[1]; ++i) expected += at[0] * sizes[1] + i;
  EXPECT(sum == expected);
  MPI_Comm_dup(row, &grid); /* its topology, too */
  MPI_Cartdim_get(grid, &dimensions);
  EXPECT(dimensions == 1);
  MPI_Cart_map(MPI_COMM_WORLD, 2, sizes, (const int[]){0, 0}, &there);
  EXPECT(there == rank);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  EXPECT(kind == MPI_UNDEFINED);
}

static void smaller_grid(void) {
  const int size = ranks > 1 ? ranks - 1 : 1, period = 1;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &grid);
  EXPECT((grid == MPI_COMM_NULL) == (rank >= size));
  if (grid == MPI_COMM_NULL) return;
  int before, after, word = -1;
  MPI_Cart_shift(grid, 0, 1, &before, &after);
  MPI_Sendrecv(&rank, 1, MPI_INT, after, 1, &word, 1, MPI_INT, before, 1, grid, MPI_STATUS_IGNORE);
  EXPECT(word == (rank + size - 1) % size);
  MPI_Comm_free(&grid);
}

/* The standard's example: 4 nodes, 0: 1 3; 1: 0; 2: 3; 3: 0 2. */
static void graphs(void) {
  if (ranks < 4) return;
  const int index[] = {2, 3, 4, 6}, edges[] = {1, 3, 0, 3, 0, 2};
  MPI_Comm graph;
  int kind, nodes, count, got_index[4], got_edges[6], neighbors[2];
  MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
  EXPECT((graph == MPI_COMM_NULL) == (rank >= 4));
  if (graph == MPI_COMM_NULL) return;
  MPI_Topo_test(graph, &kind);
  MPI_Graphdims_get(graph, &nodes, &count);
  EXPECT(kind == MPI_GRAPH && nodes == 4 && count == 6);
  MPI_Graph_get(graph, 4, 6, got_index, got_edges);
  EXPECT(memcmp(index, got_index, sizeof index) == 0 && memcmp(edges, got_edges, sizeof edges) == 0);
  MPI_Graph_neighbors_count(graph, 3, &count);
  MPI_Graph_neighbors(graph, 3, 2, neighbors);
  EXPECT(count == 2 && neighbors[0] == 0 && neighbors[1] == 2);
  MPI_Graph_neighbors_count(graph, 1, &count);
  EXPECT(count == 1);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  dims();
  closest_dims();
  grids();
  smaller_grid();
  graphs();
  return finish();
}
