/* Conway's game of life on a torus. */
#include <stdio.h>
#include <string.h>
#define N 40
int main(void) {
  static char now[N][N], then[N][N];
  unsigned state = 3;
  for (int i = 0; i < N * N; ++i) now[i / N][i % N] = (char)((state = state * 1664525 + 1013904223) >> 31);
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        int n = 0;
        for (int a = -1; a < 2; ++a)
          for (int b = -1; b < 2; ++b) n += (a || b) && now[(i + a + N) % N][(j + b + N) % N];
        then[i][j] = (char)(n == 3 || (n == 2 && now[i][j]));
      }
    memcpy(now, then, sizeof now);
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) putchar(now[i][j] ? '#' : '.');
    putchar('\n');
  }
  return 0;
}
