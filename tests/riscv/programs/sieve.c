/* Bits and loops. */
#include <stdio.h>
static unsigned char composite[1 << 18];
int main(void) {
  const int n = 1 << 18;
  int count = 0;
  for (int i = 2; i < n; ++i) {
    if (composite[i]) continue;
    ++count;
    for (long j = (long)i * i; j < n; j += i) composite[j] = 1;
  }
  printf("%d\n", count);
  return count & 0xff;
}
