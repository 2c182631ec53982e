/* Walks over an array by a stride, some times: for the caches of the machines. */
#include <stdio.h>
#include <stdlib.h>

static volatile double array[1 << 18];

int main(int argc, char** argv) {
  const long bytes = argc > 1 ? atol(argv[1]) : 65536, stride = argc > 2 ? atol(argv[2]) : 64;
  const long rounds = argc > 3 ? atol(argv[3]) : 1;
  double sum = 0;
  long accesses = 0;
  for (long round = 0; round < rounds; ++round)
    for (long at = 0; at < bytes / 8; at += stride / 8, ++accesses) sum += array[at];
  printf("%ld accesses, sum %g\n", accesses, sum);
  return 0;
}
