/* OpenMP: loops, reductions, critical sections, tasks, sections. */
#include <omp.h>
#include <stdio.h>
static long fibonacci(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  double sum = 0;
  long list[1000] = {0}, total = 0, most = 0, f = 0;
  omp_set_num_threads(4);
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (int i = 1; i <= 100000; ++i) sum += 1.0 / ((double)i * i);
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < 1000; ++i) list[i] = (long)i * i;
#pragma omp parallel
  {
#pragma omp critical
    most = omp_get_num_threads() > most ? omp_get_num_threads() : most;
#pragma omp barrier
#pragma omp single
    f = fibonacci(15);
  }
  for (int i = 0; i < 1000; ++i) total += list[i];
  printf("%.12f %ld %ld %ld\n", sum, total, most, f);
  return 0;
}
