/* Conjugate gradients for the Poisson equation on a line, -u'' = f with u = 0 at both ends: a matrix with 2 on its
 * diagonal and -1 beside it, split by rows. Each iteration has one exchange of edges and two reductions over all ranks.
 * The right side is made from a known solution, which the result is compared with. To measure scaling, `--iterations`
 * ends it earlier: then the residual of the recurrence must be the true one. Weak scaling: --rows; strong: --all.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define OPERATIONS_ROW 13 /* floating-point, in an iteration: product 3, two sums 4, three updates 6 */

struct part {
  int rank, ranks;
  size_t rows, first, all;
};

/* y = A x; x has an element before and one behind for the neighbours' edges. */
static void multiply(const struct part* part, double* x, double* y) {
  const int left = part->rank > 0 ? part->rank - 1 : MPI_PROC_NULL;
  const int right = part->rank + 1 < part->ranks ? part->rank + 1 : MPI_PROC_NULL;
  x[0] = x[part->rows + 1] = 0;
  MPI_Sendrecv(&x[part->rows], 1, MPI_DOUBLE, right, 0, &x[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&x[1], 1, MPI_DOUBLE, left, 1, &x[part->rows + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (size_t i = 1; i <= part->rows; ++i) y[i] = 2 * x[i] - x[i - 1] - x[i + 1];
}

static double dot(const struct part* part, const double* a, const double* b) {
  double sum = 0, all = 0;
  for (size_t i = 1; i <= part->rows; ++i) sum += a[i] * b[i];
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* a = a + factor b */
static void add(const struct part* part, double* a, double factor, const double* b) {
  for (size_t i = 1; i <= part->rows; ++i) a[i] += factor * b[i];
}

static double solution(size_t row) { return sin(0.37 * (double)row) + 0.01 * (double)(row % 17); }

/* Returns the iterations that it took; in `left` the square of the residual by the recurrence. */
static unsigned solve(const struct part* part, double* x, const double* right, double tolerance, unsigned most,
                      double* left) {
  const size_t room = part->rows + 2;
  double *r = calloc(room, sizeof *r), *p = calloc(room, sizeof *p), *q = calloc(room, sizeof *q);
  memcpy(r, right, room * sizeof *r);
  memcpy(p, right, room * sizeof *p);
  double rho = dot(part, r, r);
  const double enough = rho * tolerance * tolerance;
  unsigned iteration = 0;
  for (; iteration < most && rho > enough; ++iteration) {
    multiply(part, p, q);
    const double alpha = rho / dot(part, p, q);
    add(part, x, alpha, p);
    add(part, r, -alpha, q);
    const double before = rho;
    rho = dot(part, r, r);
    for (size_t i = 1; i <= part->rows; ++i) p[i] = r[i] + rho / before * p[i];
  }
  *left = rho;
  free(r);
  free(p);
  free(q);
  return iteration;
}

/* The square of the true residual. */
static double residual(const struct part* part, double* x, const double* right) {
  double* r = calloc(part->rows + 2, sizeof *r);
  multiply(part, x, r);
  for (size_t i = 1; i <= part->rows; ++i) r[i] = right[i] - r[i];
  const double square = dot(part, r, r);
  free(r);
  return square;
}

/* Rank's share of `all` rows, and its first. */
static void split(struct part* part, size_t all) {
  const size_t least = all / (size_t)part->ranks, more = all % (size_t)part->ranks, rank = (size_t)part->rank;
  part->all = all;
  part->rows = least + (rank < more);
  part->first = rank * least + (rank < more ? rank : more);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t rows = options_size(&options, "rows", "8", "of the matrix, each rank");
  const size_t all = options_size(&options, "all", "0", "rows of the matrix instead, of all ranks together");
  const size_t most = options_size(&options, "iterations", "0", "so many at most; 0: until the solution is found");
  options_check(&options);
  MPI_Init(&argc, &argv);
  struct part part;
  MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &part.ranks);
  split(&part, all > 0 ? all : rows * (size_t)part.ranks);
  if (part.all < (size_t)part.ranks) hal_abort("cg wants --rows of 1 or more, or --all of the number of ranks or more");
  const size_t room = part.rows + 2;
  double *x = calloc(room, sizeof *x), *known = calloc(room, sizeof *known), *right = calloc(room, sizeof *right);
  for (size_t i = 1; i <= part.rows; ++i) known[i] = solution(part.first + i);
  multiply(&part, known, right);
  double left;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const unsigned iterations =
      solve(&part, x, right, 1e-12, most > 0 ? (unsigned)most : (unsigned)(4 * part.all), &left);
  const double seconds = MPI_Wtime() - start;
  double error = 0, sum = 0;
  for (size_t i = 1; i <= part.rows; ++i) {
    const double off = fabs(x[i] - known[i]);
    if (!(off <= error)) error = off;
    sum += x[i] * (double)(part.first + i);
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double away = fabs(residual(&part, x, right) / left - 1);
  MPI_Finalize();
  const int good = most > 0 ? away < 1e-6 || error < 1e-6 : error < 1e-6;
  if (part.rank == 0) {
    const double iteration_us = iterations > 0 ? seconds * 1e6 / iterations : 0;
    printf("cg: %d ranks, %zu rows, %u iterations, time_us %.3f, checksum %.9e, error %.1e\n", part.ranks, part.all,
           iterations, seconds * 1e6, sum, error);
    hal_metric("time_us", seconds * 1e6, "us");
    hal_metric("iteration_us", iteration_us, "us");
    hal_metric("Mflops", iterations > 0 ? OPERATIONS_ROW * (double)part.all / iteration_us : 0, "Mflop/s");
    if (good)
      printf("PASS\n");
    else if (most > 0)
      printf("FAIL: the residual carried along is off by a share of %.1e\n", away);
    else
      printf("FAIL: the error should be below 1e-6\n");
  }
  return good ? 0 : 1;
}
