/* Eight chains of multiply-adds, in registers: what a CPU's floating-point units can do at most. */
#include <stdio.h>
#include <time.h>

int main(void) {
  enum { CHAINS = 8, TURNS = 100000 };
  volatile double begin_at = 2, factor = 0.5, addend = 0.5;
  const double a = factor, b = addend, x = begin_at;
  double x0 = x, x1 = x + 1, x2 = x + 2, x3 = x + 3, x4 = x + 4, x5 = x + 5, x6 = x + 6, x7 = x + 7;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int turn = 0; turn < TURNS; ++turn) {
    x0 = x0 * a + b;
    x1 = x1 * a + b;
    x2 = x2 * a + b;
    x3 = x3 * a + b;
    x4 = x4 * a + b;
    x5 = x5 * a + b;
    x6 = x6 * a + b;
    x7 = x7 * a + b;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  const double us = 1e6 * (double)(end.tv_sec - begin.tv_sec) + 1e-3 * (double)(end.tv_nsec - begin.tv_nsec);
  printf("Mflop/s %.3f sum %.6f\n", 2.0 * CHAINS * TURNS / us, x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7);
  return 0;
}
