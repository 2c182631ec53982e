/* Twelve loops whose time a CPU's manual bounds, with data that the first-level cache has: nanoseconds of an element
 * each. What an element is stands beside each kernel.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

enum { SIZE = 256, TURNS = 40, EDGE = 4 };
#define KERNEL static __attribute__((noinline)) double

static double a[SIZE + 2], b[SIZE + 2], c[SIZE + 2];
static struct link { struct link* next; } links[SIZE];
static uint32_t words[SIZE];
static char one[SIZE], other[SIZE];

/* An element of y += s x: a multiplication and an addition. */
KERNEL daxpy(double s) {
  for (int i = 0; i < SIZE; ++i) b[i] += s * a[i];
  return b[0];
}

/* An element of a scalar product, in one sum. */
KERNEL dot(double s) {
  double sum = s;
  for (int i = 0; i < SIZE; ++i) sum += a[i] * b[i];
  return sum;
}

/* The same in four sums. */
KERNEL dot4(double s) {
  double s0 = s, s1 = 0, s2 = 0, s3 = 0;
  for (int i = 0; i < SIZE; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  return s0 + s1 + s2 + s3;
}

/* A multiplication and an addition of a product of matrices in tiles of 4 by 4. */
KERNEL dgemm(double s) {
  typedef double pair __attribute__((vector_size(16)));
  pair sums[EDGE][2] = {{{s, 0}}};
  const double *x = a, *y = b;
  for (int k = 0; k < SIZE / EDGE; ++k, x += EDGE, y += EDGE) {
    const pair low = {x[0], x[1]}, high = {x[2], x[3]};
#pragma GCC unroll 4
    for (int j = 0; j < EDGE; ++j) {
      const pair factor = {y[j], y[j]};
      sums[j][0] += low * factor;
      sums[j][1] += high * factor;
    }
  }
  double all = 0;
  for (int j = 0; j < EDGE; ++j) all += sums[j][0][0] + sums[j][0][1] + sums[j][1][0] + sums[j][1][1];
  return all;
}

/* A multiplication and an addition that need the ones before. */
KERNEL chain(double s) {
  double x = s;
  const double factor = a[1], term = b[1];
  for (int i = 0; i < SIZE; ++i) x = x * factor + term;
  return x;
}

/* A division that needs the one before. */
KERNEL divisions(double s) {
  double x = s;
  const double divisor = a[1];
  for (int i = 0; i < SIZE; ++i) x /= divisor;
  return x;
}

/* A division that needs no other. */
KERNEL ratios(double s) {
  for (int i = 0; i < SIZE; ++i) c[i] = s / a[i];
  return c[1];
}

/* An element of a list. */
KERNEL chase(double s) {
  const struct link* at = links;
  for (int i = 0; i < SIZE; ++i) at = at->next;
  return s + (double)(at - links);
}

/* An element of a stencil of three. */
KERNEL stencil(double s) {
  for (int i = 1; i <= SIZE; ++i) c[i] = s * (a[i - 1] + a[i] + a[i + 1]);
  return c[1];
}

/* A word of a hash: exclusive or, multiplication, shift, each of which needs the one before. */
KERNEL hash(double s) {
  uint32_t x = (uint32_t)s;
  for (int i = 0; i < SIZE; ++i) {
    x = (x ^ words[i]) * 16777619u;
    x ^= x >> 15;
  }
  return x;
}

/* A character of two texts that are compared. */
KERNEL texts(double s) {
  int i = 0;
  while (one[i] == other[i] && one[i] != 0) ++i;
  return s + i;
}

/* A comparison of an insertion sort. */
KERNEL sort(double s) {
  static uint32_t sorted[SIZE];
  memcpy(sorted, words, sizeof sorted);
  uint32_t comparisons = 0;
  for (int i = 1; i < SIZE; ++i) {
    const uint32_t word = sorted[i];
    int j = i;
    for (; j > 0 && sorted[j - 1] > word; --j) sorted[j] = sorted[j - 1];
    sorted[j] = word;
    comparisons += (uint32_t)(i - j + (j > 0));
  }
  return s + comparisons;
}

static const struct kernel {
  const char* name;
  double (*run)(double);
  double elements; /* 0: what it returns */
} kernels[] = {{"daxpy", daxpy, SIZE},       {"dot", dot, SIZE},     {"dot4", dot4, SIZE},
               {"dgemm", dgemm, SIZE* EDGE}, {"chain", chain, SIZE}, {"divisions", divisions, SIZE},
               {"ratios", ratios, SIZE},     {"chase", chase, SIZE}, {"stencil", stencil, SIZE},
               {"hash", hash, SIZE},         {"texts", texts, SIZE}, {"sort", sort, 0}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  uint32_t state = 1;
  for (int i = 0; i < SIZE; ++i) {
    a[i] = 1 + 1e-9 * i;
    b[i] = 1e-9 * i;
    state = state * 1664525u + 1013904223u;
    words[i] = state >> 8;
    one[i] = other[i] = (char)(i + 1 < SIZE ? 'x' : 0);
    links[i].next = &links[(i + 97) % SIZE];
  }
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
    volatile double sink = kernels[k].run(1);
    const double elements = kernels[k].elements > 0 ? kernels[k].elements : sink - 1;
    const double begin = MPI_Wtime();
    for (int turn = 0; turn < TURNS; ++turn) sink = kernels[k].run(1);
    const double element_ns = (MPI_Wtime() - begin) * 1e9 / TURNS / elements;
    hal_metric(kernels[k].name, element_ns, "ns");
    printf("%s %.6g\n", kernels[k].name, element_ns);
  }
  MPI_Finalize();
  return 0;
}
