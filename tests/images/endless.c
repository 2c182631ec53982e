/* Rank 1 waits for a word in a way that stops simulated time, as a program must not; rank 0 waits for rank 1. */
#include <stdio.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"

static __attribute__((noinline)) int spin(const volatile int* flag) {
  while (!*flag) continue;
  return *flag;
}

int main(void) {
  static volatile int flag;
  ELAN_BASE* base = elan_baseInit();
  elan_gsync(elan_allGroup(base));
  printf("begins\n");
  fflush(stdout);
  if (hal_rank() == 1) return spin(&flag);
  elan_gsync(elan_allGroup(base));
  return 0;
}
