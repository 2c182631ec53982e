/* malloc, realloc and free of many sizes: brk, mmap, mremap, munmap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char* blocks[100] = {0};
  unsigned long state = 1, sum = 0;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    const unsigned k = (state >> 33) % 100;
    const size_t bytes = 1 + (state >> 40) % ((state >> 20) % 50 == 0 ? 600000 : 3000);
    if (blocks[k]) sum += (unsigned char)blocks[k][0];
    blocks[k] = realloc(blocks[k], bytes);
    memset(blocks[k], i & 0xff, bytes < 100 ? bytes : 100);
    if (state >> 60 == 0) free(blocks[k]), blocks[k] = 0;
  }
  printf("%lu\n", sum);
  char* large = malloc(300 << 20);
  if (large) large[200 << 20] = 7;
  printf("%d\n", large ? large[200 << 20] + large[100] : -1);
  printf("%s\n", malloc(1ul << 45) ? "?" : "no memory");
  return 0;
}
