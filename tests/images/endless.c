/* Rank 1 computes forever, in a loop that looks at a word that is never written; rank 0 waits for rank 1. */
#include <stdio.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"

static __attribute__((noinline)) int spin(const volatile int* flag) {
  volatile int turns =
      0; /* a loop that counts its iterations computes; a pure polling loop would sleep until the word is written */
  while (!*flag) ++turns;
  return turns;
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
