/* A two-dimensional Fourier transform, of rows split over the ranks: transforms of rows, a transposition by
 * MPI_Alltoall, transforms of the former columns. The inverse transform must restore the data; the sums given by the
 * transform's first element and Parseval's theorem must hold. Weak scaling: --edge elements for each rank; strong:
 * --all. Ranks are a power of two.
 */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

struct plane { /* rows of this rank, one after the other */
  size_t rows, columns;
  double complex* at;
};

struct times {
  double compute, exchange;
};

struct line { /* what a transform of `length` elements needs */
  size_t length;
  double complex* roots; /* of unity, the first half */
};

static int ranks, rank;

static double complex* room(size_t elements) {
  double complex* at = malloc(elements * sizeof *at);
  if (!at) hal_abort("fft: the node's memory is full; give --edge or --all less");
  return at;
}

static struct line make_line(size_t length) {
  struct line line = {length, room(length / 2 + 1)};
  for (size_t i = 0; i < length / 2; ++i) {
    const double angle = -2 * 3.14159265358979323846 * (double)i / (double)length;
    line.roots[i] = cos(angle) + I * sin(angle);
  }
  return line;
}

/* Moves element i to the bit-reversed index. */
static void reverse_bits(size_t length, double complex* x) {
  for (size_t i = 1, j = 0; i < length; ++i) {
    size_t bit = length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    const double complex kept = x[i];
    x[i] = x[j];
    x[j] = kept;
  }
}

/* The product without the test for infinities that C prescribes. */
static inline double complex times_root(double complex a, double complex b) {
  const double re = creal(a) * creal(b) - cimag(a) * cimag(b), im = creal(a) * cimag(b) + cimag(a) * creal(b);
  return __builtin_complex(re, im); /* CMPLX, which clang does not find in glibc's header */
}

static __attribute__((noinline)) void transform(const struct line* line, double complex* x) {
  reverse_bits(line->length, x);
  for (size_t half = 1; half < line->length; half *= 2)
    for (size_t first = 0; first < line->length; first += 2 * half)
      for (size_t i = 0; i < half; ++i) {
        double complex *low = &x[first + i], *high = low + half;
        const double complex turned = times_root(*high, line->roots[i * (line->length / (2 * half))]);
        *high = *low - turned;
        *low += turned;
      }
}

/* Columns become rows: `from` of rows x columns, `to` of columns x rows, all ranks together. */
static void transpose(const struct plane* from, const struct plane* to, double complex* buffer, struct times* times) {
  const double start = MPI_Wtime();
  double complex* out = buffer;
  for (size_t column = 0; column < from->columns; ++column) /* the columns of rank 0 come first */
    for (size_t row = 0; row < from->rows; ++row) *out++ = from->at[row * from->columns + column];
  const double packed = MPI_Wtime();
  const size_t block = from->rows * to->rows;
  MPI_Alltoall(buffer, (int)(2 * block), MPI_DOUBLE, from->at, (int)(2 * block), MPI_DOUBLE, MPI_COMM_WORLD);
  const double exchanged = MPI_Wtime();
  const double complex* in = from->at;
  for (int source = 0; source < ranks; ++source)
    for (size_t row = 0; row < to->rows; ++row, in += from->rows)
      memcpy(&to->at[row * to->columns + (size_t)source * from->rows], in, from->rows * sizeof *in);
  times->exchange += exchanged - packed;
  times->compute += packed - start + MPI_Wtime() - exchanged;
}

static void transform_rows(const struct plane* plane, const struct line* line, struct times* times) {
  const double start = MPI_Wtime();
  for (size_t row = 0; row < plane->rows; ++row) transform(line, plane->at + row * plane->columns);
  times->compute += MPI_Wtime() - start;
}

/* The inverse transform is the transform between two conjugations. */
static void conjugate(const struct plane* plane) {
  for (size_t i = 0; i < plane->rows * plane->columns; ++i) plane->at[i] = conj(plane->at[i]);
}

/* By its place in the whole plane; the same with any number of ranks. */
static double complex element(uint32_t seed, size_t index) {
  const uint32_t drawn = (uint32_t)index * 2654435761u + seed;
  return (double)(drawn >> 20) / 4096 - 0.5 + I * ((double)(drawn & 0xfff) / 4096 - 0.5);
}

static void sum_over_ranks(double* sums, int count) {
  MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Sums of this rank's elements: real part, imaginary part, squares. */
static void add_up(const struct plane* plane, double sums[3]) {
  memset(sums, 0, 3 * sizeof *sums);
  for (size_t i = 0; i < plane->rows * plane->columns; ++i) {
    const double complex x = plane->at[i];
    sums[0] += creal(x);
    sums[1] += cimag(x);
    sums[2] += creal(x) * creal(x) + cimag(x) * cimag(x);
  }
  sum_over_ranks(sums, 3);
}

static size_t power_of_two_up_to(size_t value) {
  size_t power = 1;
  while (2 * power <= value) power *= 2;
  return power;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t edge = options_size(&options, "edge", "64", "a rank has the square of it of elements");
  const size_t all = options_size(&options, "all", "0", "edge of the whole plane instead");
  options_check(&options);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  /* Twice as many ranks double one edge of the plane, in turns. */
  const size_t many = (size_t)ranks, root = power_of_two_up_to((size_t)sqrt((double)many));
  const size_t height = all > 0 ? all : edge * (many / root), width = all > 0 ? all : edge * root;
  if (height != power_of_two_up_to(height) || width != power_of_two_up_to(width) || many != power_of_two_up_to(many) ||
      width < many || height < many || width < 2)
    hal_abort("fft wants powers of two: ranks, --edge, --all; and edges of the plane that are not less than the ranks");
  const struct plane before = {height / many, width, room(height / many * width)};
  const struct plane after = {width / many, height, room(height / many * width)};
  double complex* buffer = room(height / many * width);
  const struct line row = make_line(width), column = make_line(height);
  const size_t elements = before.rows * width, first = (size_t)rank * elements;
  const uint32_t seed = (uint32_t)hal_job_seed("elements");
  for (size_t i = 0; i < elements; ++i) before.at[i] = element(seed, first + i);
  double sums[3], sums_after[3], corner[2] = {0};
  add_up(&before, sums);

  struct times times = {0}, ignored = {0};
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  transform_rows(&before, &row, &times);
  transpose(&before, &after, buffer, &times);
  transform_rows(&after, &column, &times);
  double seconds = MPI_Wtime() - start;

  add_up(&after, sums_after);
  if (rank == 0) memcpy(corner, after.at, sizeof corner);
  MPI_Bcast(corner, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  conjugate(&after);
  transform_rows(&after, &column, &ignored);
  transpose(&after, &before, buffer, &ignored);
  transform_rows(&before, &row, &ignored);
  conjugate(&before);
  const double count = (double)height * (double)width;
  double error = fabs(sums_after[2] / count / sums[2] - 1) + fabs(corner[0] - sums[0]) + fabs(corner[1] - sums[1]);
  for (size_t i = 0; i < elements; ++i) {
    const double off = cabs(before.at[i] / count - element(seed, first + i));
    if (!(off <= error)) error = off;
  }
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  hal_metric("compute_us", times.compute * 1e6, "us");
  hal_metric("exchange_us", times.exchange * 1e6, "us");
  const int good = error < 1e-8;
  if (rank == 0) {
    const double Mflops = 5e-6 * count * log2(count) / seconds;
    printf("fft: %d ranks, %zu x %zu, time_us %.3f, Mflops %.3f, error %.1e\n", ranks, width, height, seconds * 1e6,
           Mflops, error);
    hal_metric("time_us", seconds * 1e6, "us");
    hal_metric("Mflops", Mflops, "Mflop/s");
    printf(good ? "PASS\n" : "FAIL: the error should be below 1e-8\n");
  }
  return good ? 0 : 1;
}
