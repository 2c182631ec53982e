/* The High-Performance Linpack benchmark in small: LU factorisation with partial pivoting of a random matrix, in blocks
 * of columns, dealt to the ranks in turn, with a blocked matrix product in C. Panels are broadcast without look-ahead.
 *
 * usage: hpl [N [NB [ROWS]]]    order, columns of a block, rows of the product's inner block; ROWS is a multiple of 8
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#ifdef __AVX2__ /* as many sums as 16 registers of four numbers hold */
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
enum { TILE = 2 * LANES, WIDE = 6 }; /* rows and columns of what the product keeps in registers */
enum { NARROW = 6 };                 /* columns that are factored, and solved for, one after the other */

typedef double vector __attribute__((vector_size(LANES * sizeof(double))));
typedef double unaligned __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Rows of the product's inner block, and where blocks are packed. */
struct space {
  int block_rows;
  double *packed_a, *packed_b;
};

struct matrix {
  int order, block, columns; /* columns: of this rank, with the right side on one of them */
  int rank, ranks;
  double* elements; /* by column */
};

static int block_of(const struct matrix* a, int column) { return column / a->block; }
static int owner_of(const struct matrix* a, int column) { return block_of(a, column) % a->ranks; }

/* The first local column that stands at `column` of the whole matrix or behind it. */
static int local_from(const struct matrix* a, int column) {
  const int block = block_of(a, column), round = block / a->ranks, place = block % a->ranks;
  if (a->rank == place) return round * a->block + column % a->block;
  return (round + (a->rank < place)) * a->block;
}

static int columns_of(const struct matrix* a) {
  const int last = local_from(a, a->order);
  return last + (a->rank == owner_of(a, a->order));
}

static double* at(const struct matrix* a, int row, int local) {
  return a->elements + (size_t)local * (size_t)a->order + (size_t)row;
}

/* Between -0.5 and 0.5, a hash of the element's place. */
static double element(uint32_t row, uint32_t column) {
  uint32_t x = row * 2654435761u ^ (column * 2246822519u + 374761393u);
  x = (x ^ x >> 15) * 2246822519u;
  x = (x ^ x >> 13) * 3266489917u;
  return (double)(x ^ x >> 16) / 4294967296.0 - 0.5;
}

/* The whole matrix has the solution 1, 1, ... */
static void fill(const struct matrix* a, double* sums) {
  memset(sums, 0, (size_t)a->order * sizeof *sums);
  const int last = local_from(a, a->order);
  for (int local = 0; local < last; ++local) {
    const int column = (local / a->block * a->ranks + a->rank) * a->block + local % a->block;
    for (int row = 0; row < a->order; ++row) sums[row] += *at(a, row, local) = element((uint32_t)row, (uint32_t)column);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, a->order, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (a->rank == owner_of(a, a->order)) memcpy(at(a, 0, last), sums, (size_t)a->order * sizeof *sums);
}

static void swap_rows(double* column, int one, int other) {
  const double kept = column[one];
  column[one] = column[other];
  column[other] = kept;
}

/* c -= a b for TILE by WIDE elements; a and b are packed by the index of summation. */
static void tile(int count, const double* a, const double* b, double* c, int stride) {
  vector sums[WIDE][2] = {{{0}}};
  for (int k = 0; k < count; ++k, a += TILE, b += WIDE) {
    const vector low = *(const vector*)a, high = *(const vector*)(a + LANES);
#pragma GCC unroll 6
    for (int j = 0; j < WIDE; ++j) {
      sums[j][0] += low * b[j];
      sums[j][1] += high * b[j];
    }
  }
#pragma GCC unroll 6
  for (int j = 0; j < WIDE; ++j, c += stride) {
    *(unaligned*)c -= sums[j][0];
    *(unaligned*)(c + LANES) -= sums[j][1];
  }
}

/* The same at an edge of the matrix. */
static void edge(int count, int rows, int columns, const double* a, const double* b, double* c, int stride) {
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      for (int k = 0; k < count; ++k) sum += a[TILE * k + i] * b[WIDE * k + j];
      c[(size_t)j * (size_t)stride + (size_t)i] -= sum;
    }
}

/* Copies elements (row, column) to [strip of `height` rows][column][height]. */
static void pack(const double* from, int stride_of_row, int stride_of_column, int rows, int columns, int height,
                 double* to) {
  for (int strip = 0; strip < rows; strip += height)
    for (int column = 0; column < columns; ++column, to += height)
      for (int row = 0; row < height; ++row)
        to[row] = strip + row < rows
                      ? from[(size_t)(strip + row) * (size_t)stride_of_row + (size_t)column * (size_t)stride_of_column]
                      : 0;
}

/* c -= a b: `rows` by `columns`, a sum of `count` products. */
static void multiply(int rows, int columns, int count, const double* a, int a_stride, const double* b, double* c,
                     int stride, const struct space* space) {
  pack(b, stride, 1, columns, count, WIDE, space->packed_b);
  for (int from = 0; from < rows; from += space->block_rows) {
    const int here = rows - from < space->block_rows ? rows - from : space->block_rows;
    pack(a + from, 1, a_stride, here, count, TILE, space->packed_a);
    for (int j = 0; j < columns; j += WIDE)
      for (int i = 0; i < here; i += TILE) {
        double* to = c + (size_t)j * (size_t)stride + (size_t)(from + i);
        const double *left = space->packed_a + (size_t)i * (size_t)count,
                     *right = space->packed_b + (size_t)j * (size_t)count;
        if (here - i >= TILE && columns - j >= WIDE)
          tile(count, left, right, to, stride);
        else
          edge(count, here - i < TILE ? here - i : TILE, columns - j < WIDE ? columns - j : WIDE, left, right, to,
               stride);
      }
  }
}

/* Solves for `columns` columns of b: a unit lower triangle of `rows` rows times the result is b. */
static void triangle(int rows, int columns, const double* lower, int lower_stride, double* b, int stride,
                     const struct space* space) {
  if (rows > NARROW) {
    const int top = rows / 2;
    triangle(top, columns, lower, lower_stride, b, stride, space);
    multiply(rows - top, columns, top, lower + top, lower_stride, b, b + top, stride, space);
    triangle(rows - top, columns, lower + (size_t)top * (size_t)lower_stride + top, lower_stride, b + top, stride,
             space);
    return;
  }
  for (int j = 0; j < columns; ++j) {
    double* column = b + (size_t)j * (size_t)stride;
    for (int k = 0; k < rows; ++k) {
      const double factor = column[k];
      for (int i = k + 1; i < rows; ++i) column[i] -= factor * lower[(size_t)k * (size_t)lower_stride + (size_t)i];
    }
  }
}

static void swap_all(double* a, int stride, int columns, const int* pivots, int from, int to) {
  for (int j = 0; j < columns; ++j)
    for (int k = from; k < to; ++k) swap_rows(a + (size_t)j * (size_t)stride, k, pivots[k]);
}

/* Factors a panel of `rows` rows in place: one half of its columns, then the other. */
static void factor(double* panel, int rows, int stride, int columns, int* pivots, const struct space* space) {
  if (columns > NARROW) {
    const int left = columns / 2;
    double* const right = panel + (size_t)left * (size_t)stride;
    factor(panel, rows, stride, left, pivots, space);
    swap_all(right, stride, columns - left, pivots, 0, left);
    triangle(left, columns - left, panel, stride, right, stride, space);
    multiply(rows - left, columns - left, left, panel + left, stride, right, right + left, stride, space);
    factor(right + left, rows - left, stride, columns - left, pivots + left, space);
    for (int k = left; k < columns; ++k) pivots[k] += left;
    swap_all(panel, stride, left, pivots, left, columns);
    return;
  }
  for (int k = 0; k < columns; ++k) {
    double* pivot_column = panel + (size_t)k * (size_t)stride;
    int pivot = k;
    double most = fabs(pivot_column[k]);
    for (int i = k + 1; i < rows; ++i)
      if (fabs(pivot_column[i]) > most) {
        most = fabs(pivot_column[i]);
        pivot = i;
      }
    pivots[k] = pivot;
    for (int j = 0; j < columns; ++j) swap_rows(panel + (size_t)j * (size_t)stride, k, pivot);
    const double inverse = 1 / pivot_column[k];
    for (int i = k + 1; i < rows; ++i) pivot_column[i] *= inverse;
    for (int j = k + 1; j < columns; ++j) {
      double* to = panel + (size_t)j * (size_t)stride;
      const double factor = to[k];
      for (int i = k + 1; i < rows; ++i) to[i] -= factor * pivot_column[i];
    }
  }
}

/* Columns behind a panel: exchanges of rows, the triangle, the product. The panel begins at row `first`. */
static void update(const struct matrix* a, int first, int columns, const double* panel, const int* pivots,
                   const struct space* space) {
  const int rows = a->order - first, begin = local_from(a, first + columns), count = a->columns - begin;
  if (count <= 0) return;
  swap_all(at(a, first, begin), a->order, count, pivots, 0, columns);
  triangle(columns, count, panel, rows, at(a, first, begin), a->order, space);
  multiply(rows - columns, count, columns, panel + columns, rows, at(a, first, begin), at(a, first + columns, begin),
           a->order, space);
}

static void solve(const struct matrix* a, double* x) {
  const int owner = owner_of(a, a->order);
  if (a->rank == owner) memcpy(x, at(a, 0, a->columns - 1), (size_t)a->order * sizeof *x);
  int holder = owner;
  for (int first = (a->order - 1) / a->block * a->block; first >= 0; first -= a->block) {
    const int next = owner_of(a, first), end = first + a->block < a->order ? first + a->block : a->order;
    if (holder != next && a->rank == holder) MPI_Send(x, a->order, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
    if (holder != next && a->rank == next)
      MPI_Recv(x, a->order, MPI_DOUBLE, holder, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    holder = next;
    if (a->rank != holder) continue;
    for (int k = end - 1; k >= first; --k) {
      const double* column = at(a, 0, local_from(a, k));
      const double factor = x[k] /= column[k];
      for (int i = 0; i < k; ++i) x[i] -= factor * column[i];
    }
  }
  MPI_Bcast(x, a->order, MPI_DOUBLE, holder, MPI_COMM_WORLD);
}

static void* memory(size_t bytes) {
  void* found = NULL;
  if (posix_memalign(&found, 64, bytes)) MPI_Abort(MPI_COMM_WORLD, 1);
  return found;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct matrix a = {.order = argc > 1 ? atoi(argv[1]) : 1000, .block = argc > 2 ? atoi(argv[2]) : 32};
  struct space space = {.block_rows = argc > 3 ? atoi(argv[3]) : 32};
  MPI_Comm_rank(MPI_COMM_WORLD, &a.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &a.ranks);
  a.columns = columns_of(&a);
  const size_t n = (size_t)a.order, nb = (size_t)a.block;
  a.elements = memory((size_t)(a.columns + 1) * n * sizeof(double));
  double* const panel = memory(n * nb * sizeof *panel);
  space.packed_a = memory((size_t)(space.block_rows + TILE) * nb * sizeof(double));
  space.packed_b = memory((size_t)(a.columns + (int)nb + WIDE) * nb * sizeof(double));
  double* const x = memory(n * sizeof *x);
  int* const pivots = memory(nb * sizeof *pivots);
  fill(&a, x);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int first = 0; first < a.order; first += a.block) {
    const int columns = a.order - first < a.block ? a.order - first : a.block, rows = a.order - first;
    const int owner = owner_of(&a, first);
    if (a.rank == owner) {
      const int local = local_from(&a, first);
      factor(at(&a, first, local), rows, a.order, columns, pivots, &space);
      for (int j = 0; j < columns; ++j)
        memcpy(panel + (size_t)j * (size_t)rows, at(&a, first, local + j), (size_t)rows * sizeof *panel);
    }
    MPI_Bcast(panel, rows * columns, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    MPI_Bcast(pivots, columns, MPI_INT, owner, MPI_COMM_WORLD);
    update(&a, first, columns, panel, pivots, &space);
  }
  solve(&a, x);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;
  double error = 0;
  for (int i = 0; i < a.order; ++i) error = fmax(error, fabs(x[i] - 1));
  const double d = a.order;
  const double Gflops = (2 * d * d * d / 3 + 3 * d * d / 2) / seconds * 1e-9;
  if (a.rank == 0) {
    hal_metric("Gflops", Gflops, "Gflop/s");
    printf("N %d error %.1e seconds %.6f Gflop/s %.4f\n", a.order, error, seconds, Gflops);
  }
  MPI_Finalize();
  return !(error < 1e-6);
}
