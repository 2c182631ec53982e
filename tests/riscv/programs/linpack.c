/* Gaussian elimination with partial pivoting. */
#include <math.h>
#include <stdio.h>
#define N 60
int main(void) {
  static double a[N][N], b[N];
  unsigned state = 1325;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = (double)((state = 3125 * state % 65536)) / 16384 - 2;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) b[i] += a[i][j];
  for (int k = 0; k < N; ++k) {
    int p = k;
    for (int i = k; i < N; ++i)
      if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    for (int j = 0; j < N; ++j) {
      const double t = a[k][j];
      a[k][j] = a[p][j];
      a[p][j] = t;
    }
    const double t = b[k];
    b[k] = b[p];
    b[p] = t;
    for (int i = k + 1; i < N; ++i) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < N; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int j = i + 1; j < N; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  for (int i = 0; i < N; i += 7) printf("%.15e\n", b[i]);
  return 0;
}
