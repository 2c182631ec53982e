/* Prints where each rank runs: the smallest program. Arguments are printed, too. */
#include <stdio.h>

#include "sw/hal/hal.h"

int main(int argc, char** argv) {
  printf("hello from rank %d of %d on node %d\n", hal_rank(), hal_ranks(), hal_node());
  for (int i = 1; i < argc; ++i) printf("argument %d: %s\n", i, argv[i]);
  return 0;
}
