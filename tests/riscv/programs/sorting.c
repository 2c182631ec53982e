/* qsort and bsearch. */
#include <stdio.h>
#include <stdlib.h>
static int calls;
static int compare(const void* a, const void* b) {
  ++calls;
  return (*(const int*)a > *(const int*)b) - (*(const int*)a < *(const int*)b);
}
int main(void) {
  static int list[20000];
  unsigned state = 12345;
  for (int i = 0; i < 20000; ++i) list[i] = (int)(state = state * 1103515245 + 12345) >> 8;
  qsort(list, 20000, sizeof *list, compare);
  for (int i = 1; i < 20000; ++i)
    if (list[i - 1] > list[i]) return 1;
  printf("%d %d %d %d\n", list[0], list[19999], calls, bsearch(&list[77], list, 20000, sizeof *list, compare) != 0);
  return 0;
}
