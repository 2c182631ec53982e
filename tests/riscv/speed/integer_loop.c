/* A loop of integer operations and loads, for MIPS. */
#include <stdio.h>
#include <stdlib.h>
static unsigned table[4096];
int main(int argc, char** argv) {
  unsigned long rounds = argc > 1 ? strtoul(argv[1], 0, 10) : 100000, sum = 0;
  for (unsigned i = 0; i < 4096; ++i) table[i] = i * 2654435761u;
  for (unsigned long r = 0; r < rounds; ++r)
    for (unsigned i = 0; i < 4096; ++i) {
      sum = sum * 31 + (table[i] ^ (sum >> 7));
      if (sum & 1) sum += i;
    }
  printf("%lu\n", sum);
  return 0;
}
