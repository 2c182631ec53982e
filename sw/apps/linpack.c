/* LINPACK, as it was measured in the 1980s: a dense system of linear equations, of order 100 as a rule, by Gaussian
 * elimination with partial pivoting, column by column in plain loops (dgefa, dgesl on daxpy). Each rank solves one of
 * its own; the residual is checked.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define MOST_RESIDUAL 16.0 /* in units of rounding errors: some ones are usual */

/* Element (row, column) is at column * stride + row, as in Fortran. */
struct matrix {
  size_t order, stride;
  double* elements;
};

static double* column(const struct matrix* matrix, size_t index) { return matrix->elements + index * matrix->stride; }

/* y += factor x */
static __attribute__((noinline)) void daxpy(size_t count, double factor, const double* x, double* y) {
  if (factor == 0) return;
  for (size_t i = 0; i < count; ++i) y[i] += factor * x[i];
}

static __attribute__((noinline)) void dscal(size_t count, double factor, double* x) {
  for (size_t i = 0; i < count; ++i) x[i] *= factor;
}

/* Index of the element with the largest magnitude. */
static __attribute__((noinline)) size_t idamax(size_t count, const double* x) {
  size_t at = 0;
  for (size_t i = 1; i < count; ++i)
    if (fabs(x[i]) > fabs(x[at])) at = i;
  return at;
}

static void swap(double* a, double* b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Factors the matrix in place; multipliers are stored below the diagonal, with their signs changed. Returns whether it
 * is regular.
 */
static int dgefa(struct matrix* a, size_t* pivots) {
  for (size_t k = 0; k < a->order; ++k) {
    double* pivot_column = column(a, k);
    const size_t below = a->order - k - 1, pivot = k + idamax(a->order - k, pivot_column + k);
    pivots[k] = pivot;
    if (pivot_column[pivot] == 0) return 0;
    swap(&pivot_column[pivot], &pivot_column[k]);
    dscal(below, -1 / pivot_column[k], pivot_column + k + 1);
    for (size_t j = k + 1; j < a->order; ++j) {
      double* to = column(a, j);
      swap(&to[pivot], &to[k]);
      daxpy(below, to[k], pivot_column + k + 1, to + k + 1);
    }
  }
  return 1;
}

/* Solves with the factors: x holds the right side before, the solution then. */
static void dgesl(const struct matrix* a, const size_t* pivots, double* x) {
  for (size_t k = 0; k + 1 < a->order; ++k) {
    swap(&x[pivots[k]], &x[k]);
    daxpy(a->order - k - 1, x[k], column(a, k) + k + 1, x + k + 1);
  }
  for (size_t k = a->order; k-- > 0;) {
    x[k] /= column(a, k)[k];
    daxpy(k, -x[k], column(a, k), x);
  }
}

/* Between -2 and 2, the same in each run. */
static void fill(struct matrix* a) {
  uint32_t state = 1325;
  for (size_t j = 0; j < a->order; ++j)
    for (size_t i = 0; i < a->order; ++i) {
      state = state * 1664525u + 1013904223u;
      column(a, j)[i] = (double)(state >> 16) / 16384 - 2;
    }
}

/* The right side whose solution is all ones. */
static void sum_rows(const struct matrix* a, double* sums) {
  for (size_t i = 0; i < a->order; ++i) sums[i] = 0;
  for (size_t j = 0; j < a->order; ++j) daxpy(a->order, 1, column(a, j), sums);
}

static double largest(const double* x, size_t count) { return fabs(x[idamax(count, x)]); }

/* Largest of |A x - b|, relative to the rounding errors. `residual` holds b. */
static double residual_of(const struct matrix* a, const double* x, double* residual) {
  double size = 0;
  for (size_t j = 0; j < a->order; ++j) {
    daxpy(a->order, -x[j], column(a, j), residual);
    size = fmax(size, largest(column(a, j), a->order));
  }
  return largest(residual, a->order) / ((double)a->order * size * largest(x, a->order) * DBL_EPSILON);
}

static double* vector(size_t count) {
  double* elements = malloc(count * sizeof *elements);
  if (!elements) hal_abort("linpack: the node's memory is full; give --n less");
  return elements;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t n = options_size(&options, "n", "100", "order of the system");
  const size_t repetitions = options_size(&options, "repetitions", "2", "the best counts");
  options_check(&options);
  if (n < 1 || repetitions < 1) hal_abort("linpack wants --n and --repetitions of 1 or more");
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct matrix a = {.order = n, .stride = n + 1, .elements = vector(n * (n + 1))};
  double* x = vector(n);
  size_t* pivots = calloc(n, sizeof *pivots);
  double factor_s = 0, solve_s = 0;
  int regular = 1;
  for (size_t i = 0; i < repetitions && regular; ++i) {
    fill(&a);
    sum_rows(&a, x);
    const double start = MPI_Wtime();
    regular = dgefa(&a, pivots);
    const double factored = MPI_Wtime();
    if (regular) dgesl(&a, pivots, x);
    const double end = MPI_Wtime();
    if (i == 0 || end - start < factor_s + solve_s) {
      factor_s = factored - start;
      solve_s = end - factored;
    }
  }
  double* residual = vector(n);
  fill(&a);
  sum_rows(&a, residual);
  const double off = regular ? residual_of(&a, x, residual) : INFINITY;
  int good = off < MOST_RESIDUAL;
  const double operations = 2.0 / 3 * (double)n * (double)n * (double)n + 2.0 * (double)n * (double)n;
  const double Mflops = 1e-6 * operations / (factor_s + solve_s);
  hal_metric("Mflops", Mflops, "Mflop/s");
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) {
    printf("linpack: n %zu, %d ranks, dgefa_us %.3f, dgesl_us %.3f, Mflops %.3f, residual %.2f\n", n, ranks,
           factor_s * 1e6, solve_s * 1e6, Mflops, off);
    printf(good ? "PASS\n" : "FAIL: the residual should be below %.0f\n", MOST_RESIDUAL);
  }
  return good ? 0 : 1;
}
