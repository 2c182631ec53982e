/* Functions of string.h, with all alignments. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char a[256], b[256];
  unsigned long sum = 0;
  for (int i = 0; i < 256; ++i) a[i] = (char)(i * 7 + 1);
  for (int from = 0; from < 9; ++from)
    for (int to = 0; to < 9; ++to)
      for (int n = 0; n < 70; n += 3) {
        memset(b, 0, sizeof b);
        memcpy(b + to, a + from, (size_t)n);
        memmove(b + to + 3, b + to, (size_t)n);
        for (int i = 0; i < 256; ++i) sum = sum * 31 + (unsigned char)b[i];
        sum += (unsigned)(memcmp(a + from, b + to, (size_t)n) < 0) + strlen(b + to);
      }
  char text[] = "one two,three;four", *rest = 0;
  for (char* w = strtok_r(text, " ,;", &rest); w; w = strtok_r(0, " ,;", &rest)) printf("[%s]", w);
  printf(" %lu %s %ld %d\n", sum, strstr("haystack with needle", "needle"), strtol("-0x7fzz", 0, 0), toupper('q'));
  return strcmp("abc", "abd") < 0 ? 3 : 4;
}
