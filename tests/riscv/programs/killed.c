/* Ends by a wild pointer. */
#include <stdio.h>
int main(void) {
  printf("before\n");
  fflush(stdout);
  *(volatile int*)0x10 = 1;
  return 0;
}
