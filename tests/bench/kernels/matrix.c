/* The product of two matrices, as it is written first. */
enum { size = 64 };
static double a[size][size], b[size][size], c[size][size];

double kernel(int turns) {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    }
    a[turn % size][3] = c[5][turn % size] * 1e-3;
  }
  return c[7][9];
}
