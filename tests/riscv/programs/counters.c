/* Instruction counter: differences are exact. */
#include <stdio.h>
static inline unsigned long instructions(void) {
  unsigned long n;
  __asm__ volatile("rdinstret %0" : "=r"(n));
  return n;
}
int main(void) {
  unsigned long a, b;
  __asm__ volatile("rdinstret %0\n nop\n nop\n nop\n rdinstret %1" : "=r"(a), "=r"(b));
  unsigned long c, t, u;
  __asm__ volatile("rdcycle %0\n rdtime %1\n rdtime %2" : "=r"(c), "=r"(t), "=r"(u));
  printf("%d %d %d\n", b > a, instructions() > b, u >= t);
  return 0;
}
