/* Jacobi's method for Laplace's equation on a grid of two or three dimensions, split into blocks: each sweep exchanges
 * the faces of blocks and computes every cell from its neighbours; every few sweeps all ranks reduce how much
 * the cells still change. The grid begins as a half wave, of which a sweep leaves a known share: each cell's value is
 * known after any number of sweeps. Weak scaling: --cells; strong: --all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define DIMENSIONS 3
#define STILL 1e-12 /* cells that change by less count as converged */
static const double pi = 3.14159265358979323846;

/* Dimension 2 varies fastest; of two dimensions, 0 has one cell and no halo. */
struct block {
  int used; /* the dimensions from this one on */
  MPI_Comm comm;
  int ranks, rank, neighbours[2 * DIMENSIONS]; /* before and behind, by dimension */
  int all[DIMENSIONS], cells[DIMENSIONS], first[DIMENSIONS];
  int sizes[DIMENSIONS]; /* with the halo */
  size_t row, plane;     /* strides */
  MPI_Datatype sent[2 * DIMENSIONS], received[2 * DIMENSIONS];
};

struct times {
  double exchange, compute, reduce;
};

/* A face of the block's cells: the cells whose dimension d has `index`. */
static MPI_Datatype face(const struct block* block, int d, int index) {
  int size[DIMENSIONS], start[DIMENSIONS];
  for (int e = 0; e < DIMENSIONS; ++e) {
    size[e] = e == d ? 1 : block->cells[e];
    start[e] = e == d ? index : e >= block->used;
  }
  MPI_Datatype type;
  MPI_Type_create_subarray(DIMENSIONS, block->sizes, size, start, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

/* Its share of the cells of a dimension, and its first. */
static void split(struct block* block, int d, int parts, int part) {
  const int least = block->all[d] / parts, more = block->all[d] % parts;
  block->cells[d] = least + (part < more);
  block->first[d] = part * least + (part < more ? part : more);
}

static struct block make_block(int dimensions, int cells, int all) {
  struct block block = {.used = DIMENSIONS - dimensions};
  MPI_Comm_size(MPI_COMM_WORLD, &block.ranks);
  int parts[DIMENSIONS] = {dimensions < DIMENSIONS}, wraps[DIMENSIONS] = {0}, at[DIMENSIONS]; /* 0: MPI chooses */
  MPI_Dims_create(block.ranks, DIMENSIONS, parts);
  MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, parts, wraps, 0, &block.comm);
  MPI_Comm_rank(block.comm, &block.rank);
  MPI_Cart_coords(block.comm, block.rank, DIMENSIONS, at);
  for (int d = 0; d < DIMENSIONS; ++d) {
    const int is_used = d >= block.used;
    block.all[d] = !is_used ? 1 : all > 0 ? all : cells * parts[d];
    if (block.all[d] < parts[d]) hal_abort("stencil: a rank has no cell; give --cells or --all more");
    split(&block, d, parts[d], at[d]);
    block.sizes[d] = block.cells[d] + 2 * is_used;
  }
  block.row = (size_t)block.sizes[2];
  block.plane = block.row * (size_t)block.sizes[1];
  for (int d = block.used; d < DIMENSIONS; ++d) {
    int* neighbour = &block.neighbours[2 * d];
    MPI_Cart_shift(block.comm, d, 1, &neighbour[0], &neighbour[1]);
    block.sent[2 * d] = face(&block, d, 1);
    block.sent[2 * d + 1] = face(&block, d, block.cells[d]);
    block.received[2 * d] = face(&block, d, 0);
    block.received[2 * d + 1] = face(&block, d, block.cells[d] + 1);
  }
  return block;
}

static void exchange(const struct block* block, double* u) {
  MPI_Request requests[4 * DIMENSIONS];
  int count = 0;
  for (int i = 2 * block->used; i < 2 * DIMENSIONS; ++i)
    MPI_Irecv(u, 1, block->received[i], block->neighbours[i], i ^ 1, block->comm, &requests[count++]);
  for (int i = 2 * block->used; i < 2 * DIMENSIONS; ++i)
    MPI_Isend(u, 1, block->sent[i], block->neighbours[i], i, block->comm, &requests[count++]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* The first cell of a row. */
static size_t row_at(const struct block* block, int z, int y) {
  return (size_t)(z + (block->used == 0)) * block->plane + (size_t)(y + 1) * block->row + 1;
}

static __attribute__((noinline)) void row_of_2(const double* u, double* next, size_t cells, size_t row) {
  const double *above = u - row, *below = u + row;
  for (size_t x = 0; x < cells; ++x) next[x] = (u[x - 1] + u[x + 1] + above[x] + below[x]) * (1.0 / 4);
}

static __attribute__((noinline)) void row_of_3(const double* u, double* next, size_t cells, size_t row, size_t plane) {
  const double *above = u - row, *below = u + row, *before = u - plane, *behind = u + plane;
  for (size_t x = 0; x < cells; ++x)
    next[x] = (u[x - 1] + u[x + 1] + above[x] + below[x] + before[x] + behind[x]) * (1.0 / 6);
}

static void sweep(const struct block* block, const double* u, double* next) {
  for (int z = 0; z < block->cells[0]; ++z)
    for (int y = 0; y < block->cells[1]; ++y) {
      const size_t at = row_at(block, z, y), cells = (size_t)block->cells[2];
      if (block->used == 0)
        row_of_3(u + at, next + at, cells, block->row, block->plane);
      else
        row_of_2(u + at, next + at, cells, block->row);
    }
}

/* The most that a cell of this rank has changed by. */
static double change(const struct block* block, const double* u, const double* next) {
  double most = 0;
  for (int z = 0; z < block->cells[0]; ++z)
    for (int y = 0; y < block->cells[1]; ++y) {
      const size_t at = row_at(block, z, y);
      for (size_t x = at; x < at + (size_t)block->cells[2]; ++x)
        if (fabs(next[x] - u[x]) > most) most = fabs(next[x] - u[x]);
    }
  return most;
}

static double angle(const struct block* block, int d) { return pi / (block->all[d] + 1); }

/* The half wave in row (z, y), at x. */
static double wave(const struct block* block, int z, int y, int x) {
  const int at[DIMENSIONS] = {z, y, x};
  double value = 1;
  for (int d = block->used; d < DIMENSIONS; ++d) value *= sin(angle(block, d) * (double)(block->first[d] + at[d] + 1));
  return value;
}

/* The share of it that a sweep leaves. */
static double share(const struct block* block) {
  double sum = 0;
  for (int d = block->used; d < DIMENSIONS; ++d) sum += cos(angle(block, d));
  return sum / (DIMENSIONS - block->used);
}

static void fill(const struct block* block, double* u) {
  for (int z = 0; z < block->cells[0]; ++z)
    for (int y = 0; y < block->cells[1]; ++y)
      for (int x = 0; x < block->cells[2]; ++x) u[row_at(block, z, y) + (size_t)x] = wave(block, z, y, x);
}

/* The greatest error of a cell of this rank. */
static double error_after(const struct block* block, const double* u, unsigned sweeps) {
  const double left = pow(share(block), sweeps);
  double most = 0;
  for (int z = 0; z < block->cells[0]; ++z)
    for (int y = 0; y < block->cells[1]; ++y)
      for (int x = 0; x < block->cells[2]; ++x) {
        const double off = fabs(u[row_at(block, z, y) + (size_t)x] - left * wave(block, z, y, x));
        if (!(off <= most)) most = off;
      }
  return most;
}

/* Returns the sweeps that it made; the result is in `*u`. */
static unsigned solve(const struct block* block, double** u, double** next, unsigned most, unsigned check,
                      struct times* times) {
  for (unsigned done = 1;; ++done) {
    const double start = MPI_Wtime();
    exchange(block, *u);
    const double exchanged = MPI_Wtime();
    sweep(block, *u, *next);
    double changed = 1;
    const int looks = done % check == 0;
    if (looks) changed = change(block, *u, *next);
    const double computed = MPI_Wtime();
    if (looks) MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_DOUBLE, MPI_MAX, block->comm);
    times->exchange += exchanged - start;
    times->compute += computed - exchanged;
    times->reduce += MPI_Wtime() - computed;
    double* swap = *u;
    *u = *next;
    *next = swap;
    if (done == most || changed < STILL) return done;
  }
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const int dimensions = options_choice(&options, "dimensions", "2", "2|3")[0] - '0';
  const int cells = (int)options_size(&options, "cells", "64", "along an edge of each rank's block");
  const int all = (int)options_size(&options, "all", "0", "cells along an edge of the whole grid instead");
  const size_t most = options_size(&options, "sweeps", "20", "so many at most");
  const size_t check = options_size(&options, "check", "10", "sweeps from one look at the change to the next");
  options_check(&options);
  if (cells < 1 || most < 1 || check < 1) hal_abort("stencil wants --cells, --sweeps and --check of 1 or more");
  MPI_Init(&argc, &argv);
  const struct block block = make_block(dimensions, cells, all);
  const size_t room = block.plane * (size_t)block.sizes[0];
  double *u = calloc(room, sizeof *u), *next = calloc(room, sizeof *next);
  if (!u || !next) hal_abort("stencil: the node's memory is full; give --cells or --all less");
  fill(&block, u);
  struct times times = {0};
  MPI_Barrier(block.comm);
  const double start = MPI_Wtime();
  const unsigned sweeps = solve(&block, &u, &next, (unsigned)most, (unsigned)check, &times);
  double seconds = MPI_Wtime() - start, error = error_after(&block, u, sweeps);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, block.comm);
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, block.comm);
  MPI_Finalize();
  hal_metric("exchange_us", times.exchange * 1e6 / sweeps, "us");
  hal_metric("compute_us", times.compute * 1e6 / sweeps, "us");
  hal_metric("reduce_us", times.reduce * 1e6 / sweeps, "us");
  const int good = error < 1e-10;
  if (block.rank == 0) {
    const double sweep_us = seconds * 1e6 / sweeps;
    const double Mcells = (double)block.all[0] * block.all[1] * block.all[2] / sweep_us;
    printf("stencil: %d ranks, %d x %d x %d cells, %u sweeps, sweep_us %.3f, Mcells/s %.3f, error %.1e\n", block.ranks,
           block.all[2], block.all[1], block.all[0], sweeps, sweep_us, Mcells, error);
    hal_metric("sweep_us", sweep_us, "us");
    hal_metric("Mcells_per_s", Mcells, "1/us");
    printf(good ? "PASS\n" : "FAIL: the error should be below 1e-10\n");
  }
  return good ? 0 : 1;
}
