/* STREAM: a node's memory bandwidth for copy, scale, add and triad, in vectors that are larger than its caches, by one
 * rank or by several at once. A kernel's rate is the bytes that it names, of all ranks, over the time of the slowest;
 * of several repetitions the best counts. Ranks that are to share a node's memory need a map: --map 0,0,0,0.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

/* Loops stay loops: GCC would turn the first into a call of memcpy. */
#define KERNEL static __attribute__((noinline, optimize("no-tree-loop-distribute-patterns"))) void
#define FACTOR 3.0

struct vectors {
  size_t count;
  double *a, *b, *c;
};

KERNEL copy(const struct vectors* v) {
  const double* a = v->a;
  double* c = v->c;
  for (size_t i = 0; i < v->count; ++i) c[i] = a[i];
}

KERNEL scale(const struct vectors* v) {
  const double* c = v->c;
  double* b = v->b;
  for (size_t i = 0; i < v->count; ++i) b[i] = FACTOR * c[i];
}

KERNEL add(const struct vectors* v) {
  const double *a = v->a, *b = v->b;
  double* c = v->c;
  for (size_t i = 0; i < v->count; ++i) c[i] = a[i] + b[i];
}

KERNEL triad(const struct vectors* v) {
  const double *b = v->b, *c = v->c;
  double* a = v->a;
  for (size_t i = 0; i < v->count; ++i) a[i] = b[i] + FACTOR * c[i];
}

static const struct kernel {
  const char *name, *metric;
  void (*run)(const struct vectors*);
  int vectors; /* that it reads or writes */
} kernels[] = {{"copy", "copy_MBps", copy, 2},
               {"scale", "scale_MBps", scale, 2},
               {"add", "add_MBps", add, 3},
               {"triad", "triad_MBps", triad, 3}};
#define KERNELS (sizeof kernels / sizeof *kernels)

/* The time of the slowest rank. */
static double seconds(const struct kernel* kernel, const struct vectors* v) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  kernel->run(v);
  double time = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return time;
}

static double* vector(size_t count, double value) {
  double* all = malloc(count * sizeof *all);
  if (!all) hal_abort("stream: the node's memory is full; give --elements fewer");
  for (size_t i = 0; i < count; ++i) all[i] = value;
  return all;
}

/* The elements that each rank has room for, at most 2,000,000. */
static size_t most_elements(void) {
  enum { VECTORS = 3 };
  unsigned long count = 2000000; /* as in STREAM: a power of two would put all vectors in the same sets of caches */
  void* all = NULL;
  while (count > 1 && !(all = malloc(VECTORS * count * sizeof(double)))) count /= 2;
  free(all);
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
  return count;
}

static size_t wrong(const double* vector, size_t count, double value) {
  size_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += !(fabs(vector[i] - value) <= 1e-12 * value);
  return sum;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  struct vectors v = {.count = options_size(&options, "elements", "0",
                                            "of each of the three vectors, 8 bytes each; 0: 2,000,000, or what fits")};
  const size_t repetitions = options_size(&options, "repetitions", "3", "of all kernels; the best counts");
  options_check(&options);
  if (repetitions < 1) hal_abort("stream wants --repetitions of 1 or more");
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (v.count == 0) v.count = most_elements();
  v.a = vector(v.count, 1);
  v.b = vector(v.count, 2);
  v.c = vector(v.count, 0);
  double best[KERNELS], a = 1, b = 2, c = 0;
  for (size_t i = 0; i < repetitions; ++i) {
    for (size_t k = 0; k < KERNELS; ++k) {
      const double time = seconds(&kernels[k], &v);
      if (i == 0 || time < best[k]) best[k] = time;
    }
    c = a;
    b = FACTOR * c;
    c = a + b;
    a = b + FACTOR * c;
  }
  long bad = (long)(wrong(v.a, v.count, a) + wrong(v.b, v.count, b) + wrong(v.c, v.count, c));
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank != 0) return bad > 0;
  printf("stream: %d ranks, %zu elements\n", ranks, v.count);
  for (size_t k = 0; k < KERNELS; ++k) {
    const double MB = 1e-6 * (double)(sizeof(double) * v.count) * kernels[k].vectors * ranks;
    printf("%-8s %12.3f MB/s\n", kernels[k].name, MB / best[k]);
    hal_metric(kernels[k].metric, MB / best[k], "MB/s");
  }
  printf(bad > 0 ? "FAIL: %ld values are wrong\n" : "PASS\n", bad);
  return bad > 0;
}
