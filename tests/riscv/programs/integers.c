/* Integer operations of all widths, with the corner cases of division and shifts. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
static volatile int64_t values[] = {0, 1, -1, 2, 7, -7, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 0x123456789abcdef};
int main(void) {
  uint64_t sum = 0;
  const int n = sizeof values / sizeof *values;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int64_t a = values[i], b = values[j];
      const int32_t c = (int32_t)a, d = (int32_t)b;
      sum = sum * 1000003 + (uint64_t)a * (uint64_t)b + ((uint64_t)a >> (b & 63)) + (uint64_t)(a >> (b & 63));
      sum += (uint32_t)c * (uint32_t)d + (uint32_t)(c >> (d & 31)) + ((uint32_t)c << (d & 31));
      sum += (uint64_t)(((__int128)a * b) >> 64) + (uint64_t)(((unsigned __int128)(uint64_t)a * (uint64_t)b) >> 64);
      if (b != 0 && !(a == INT64_MIN && b == -1)) sum += (uint64_t)(a / b) ^ (uint64_t)(a % b);
      if (b != 0) sum += (uint64_t)a / (uint64_t)b ^ (uint64_t)a % (uint64_t)b;
      if (d != 0 && !(c == INT32_MIN && d == -1)) sum += (uint32_t)(c / d) ^ (uint32_t)(c % d);
      printf("%d %d %" PRIx64 " %d\n", i, j, sum, a < b ? 1 : (uint64_t)a < (uint64_t)b ? 2 : 3);
    }
  return sum & 0x7f;
}
