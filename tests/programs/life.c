/* The game of life on a torus in blocks: edges as columns and rows by datatypes, blocks scattered and gathered as
 * subarrays, compared with the same game played by each rank alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { ROWS = 6, COLUMNS = 5, GENERATIONS = 8 }; /* of a block */
typedef char block[ROWS + 2][COLUMNS + 2];

static int lives(int alive, int around) { return around == 3 || (around == 2 && alive); }

static void step(block cells) {
  block next;
  memcpy(next, cells, sizeof next);
  for (int i = 1; i <= ROWS; ++i)
    for (int j = 1; j <= COLUMNS; ++j) {
      int around = -cells[i][j];
      for (int k = 0; k < 9; ++k) around += cells[i + k / 3 - 1][j + k % 3 - 1];
      next[i][j] = (char)lives(cells[i][j], around);
    }
  memcpy(cells, next, sizeof next);
}

static void step_alone(char* world, int rows, int columns) {
  char* next = malloc(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      int around = -world[i * columns + j];
      for (int k = 0; k < 9; ++k)
        around += world[(i + k / 3 - 1 + rows) % rows * columns + (j + k % 3 - 1 + columns) % columns];
      next[i * columns + j] = (char)lives(world[i * columns + j], around);
    }
  memcpy(world, next, rows * columns);
  free(next);
}

static void exchange(block cells, MPI_Comm grid, MPI_Datatype row, MPI_Datatype column) {
  int north, south, west, east;
  MPI_Cart_shift(grid, 0, 1, &north, &south);
  MPI_Cart_shift(grid, 1, 1, &west, &east);
  MPI_Sendrecv(&cells[1][1], 1, row, north, 0, &cells[ROWS + 1][1], 1, row, south, 0, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&cells[ROWS][1], 1, row, south, 1, &cells[0][1], 1, row, north, 1, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&cells[0][1], 1, column, west, 2, &cells[0][COLUMNS + 1], 1, column, east, 2, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&cells[0][COLUMNS], 1, column, east, 3, &cells[0][0], 1, column, west, 3, grid, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int size, blocks[2] = {0, 0}, around[2] = {1, 1}, at[2];
  MPI_Comm grid;
  MPI_Datatype whole, part, inner, row, column;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, blocks);
  MPI_Cart_create(MPI_COMM_WORLD, 2, blocks, around, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  const int sizes[] = {ROWS * blocks[0], COLUMNS * blocks[1]}, mine[] = {ROWS, COLUMNS}, zero[] = {0, 0};
  const int with_edges[] = {ROWS + 2, COLUMNS + 2}, one[] = {1, 1}, cells_count = sizes[0] * sizes[1];
  MPI_Type_create_subarray(2, sizes, mine, zero, MPI_ORDER_C, MPI_CHAR, &whole);
  MPI_Type_create_resized(whole, 0, COLUMNS, &part);
  MPI_Type_create_subarray(2, with_edges, mine, one, MPI_ORDER_C, MPI_CHAR, &inner);
  MPI_Type_contiguous(COLUMNS, MPI_CHAR, &row);
  MPI_Type_vector(ROWS + 2, 1, COLUMNS + 2, MPI_CHAR, &column);
  MPI_Datatype* const all[] = {&part, &inner, &row, &column};
  for (int i = 0; i < 4; ++i) MPI_Type_commit(all[i]);

  char *world = malloc(cells_count), *alone = malloc(cells_count);
  block cells;
  int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int)), *zeros = calloc(size, sizeof(int));
  MPI_Datatype *inners = malloc(size * sizeof inner), *parts = malloc(size * sizeof part);
  srand(7);
  for (int i = 0; i < cells_count; ++i) world[i] = alone[i] = rand() % 3 == 0;
  for (int r = 0; r < size; ++r) {
    MPI_Cart_coords(grid, r, 2, at);
    counts[r] = 1;
    places[r] = at[0] * ROWS * blocks[1] + at[1]; /* in columns of a block */
    inners[r] = inner;
    parts[r] = part;
  }
  memset(cells, 0, sizeof cells);
  MPI_Scatterv(world, counts, places, part, cells, 1, inner, 0, grid);
  for (int i = 0; i < GENERATIONS; ++i) {
    exchange(cells, grid, row, column);
    step(cells);
    step_alone(alone, sizes[0], sizes[1]);
  }
  memset(world, 0, cells_count);
  MPI_Gatherv(cells, 1, inner, world, counts, places, part, 0, grid);
  CHECK(rank != 0 || memcmp(world, alone, cells_count) == 0);
  memset(world, 0, cells_count);
  MPI_Allgatherv(cells, 1, inner, world, counts, places, part, grid);
  CHECK(memcmp(world, alone, cells_count) == 0);
  memset(world, 0, cells_count);
  for (int r = 0; r < size; ++r) places[r] *= COLUMNS; /* in bytes */
  MPI_Alltoallw(cells, counts, zeros, inners, world, counts, places, parts, grid);
  CHECK(memcmp(world, alone, cells_count) == 0);
  for (int i = 0; i < 4; ++i) MPI_Type_free(all[i]);
  MPI_Type_free(&whole);
  free(world), free(alone), free(counts), free(places), free(zeros), free(inners), free(parts);
  if (rank == 0) printf("PASS life on %d ranks\n", size);
  MPI_Finalize();
  return 0;
}
