/* Halo exchange: ranks in a ring hold pieces of a line of cells and exchange their edges, step by step. Each
 * step adds to a cell its two neighbours, in integers, so the result is exact; it is compared with the same done by one
 * rank.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

static uint32_t first_value(size_t cell) { return (uint32_t)(cell * 2654435761u + 12345u); }

/* A whole line, by one: the reference. Returns the sum of all cells times their numbers. */
static uint64_t alone(size_t cells, unsigned steps) {
  uint32_t* line = malloc(cells * sizeof *line);
  uint32_t* next = malloc(cells * sizeof *next);
  for (size_t i = 0; i < cells; ++i) line[i] = first_value(i);
  for (unsigned step = 0; step < steps; ++step) {
    for (size_t i = 0; i < cells; ++i) next[i] = line[(i + cells - 1) % cells] + line[i] + line[(i + 1) % cells];
    uint32_t* swap = line;
    line = next;
    next = swap;
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < cells; ++i) sum += (uint64_t)line[i] * (i + 1);
  free(line);
  free(next);
  return sum;
}

static void exchange_edges(uint32_t* line, size_t cells, size_t width, int left, int right) {
  MPI_Request requests[4];
  MPI_Irecv(line, (int)width, MPI_UNSIGNED, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(line + width + cells, (int)width, MPI_UNSIGNED, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(line + cells, (int)width, MPI_UNSIGNED, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(line + width, (int)width, MPI_UNSIGNED, left, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* `width` steps between two exchanges: edges of that many cells are shown, and worked on by both sides. */
static void step_all(uint32_t* line, uint32_t* next, size_t cells, size_t width) {
  for (size_t step = 1; step <= width; ++step) {
    const size_t first = step, end = cells + 2 * width - step;
    for (size_t i = first; i < end; ++i) next[i] = line[i - 1] + line[i] + line[i + 1];
    for (size_t i = first; i < end; ++i) line[i] = next[i];
  }
}

/* Exchanges alone, without work between: what was exchanged last comes again. */
static double exchange_us(uint32_t* line, size_t cells, size_t width, size_t count, int left, int right) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (size_t i = 0; i < count; ++i) exchange_edges(line, cells, width, left, right);
  return (MPI_Wtime() - start) * 1e6 / (double)count;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t cells = options_size(&options, "cells", "1000", "of each rank");
  const size_t width = options_size(&options, "width", "4", "cells of an edge, and steps between exchanges");
  const size_t exchanges = options_size(&options, "exchanges", "10", "of edges");
  options_check(&options);
  if (width < 1 || width > cells) hal_abort("halo wants --width of 1 to --cells");
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  uint32_t* line = calloc(cells + 2 * width, sizeof *line);
  uint32_t* next = calloc(cells + 2 * width, sizeof *next);
  for (size_t i = 0; i < cells; ++i) line[width + i] = first_value((size_t)rank * cells + i);
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  const double start = MPI_Wtime();
  for (size_t i = 0; i < exchanges; ++i) {
    exchange_edges(line, cells, width, left, right);
    step_all(line, next, cells, width);
  }
  const double seconds = MPI_Wtime() - start;
  const double alone_us = exchanges > 0 ? exchange_us(line, cells, width, exchanges, left, right) : 0;
  unsigned long sum = 0;
  for (size_t i = 0; i < cells; ++i) sum += (uint64_t)line[width + i] * ((uint64_t)rank * cells + i + 1);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank != 0) return 0;
  hal_metric("time_us", seconds * 1e6, "us");
  hal_metric("exchange_us", alone_us, "us");
  const uint64_t expected = alone(cells * (size_t)ranks, (unsigned)(exchanges * width));
  printf("halo: %d ranks, %zu exchanges, time_us %.3f, checksum %016lx\n", ranks, exchanges, seconds * 1e6, sum);
  if (sum != expected) printf("FAIL: the checksum should be %016llx\n", (unsigned long long)expected);
  if (sum == expected) printf("PASS\n");
  return sum != expected;
}
