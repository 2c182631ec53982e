/* A sparse matrix times a vector, as conjugate gradients do it: 5 elements in a row. */
enum { rows = 1024, in_row = 5 };
static int first[rows + 1], column[rows * in_row];
static double value[rows * in_row], x[rows], y[rows];

double kernel(int turns) {
  int next = 0;
  for (int row = 0; row < rows; ++row) {
    first[row] = next;
    for (int k = 0; k < in_row; ++k, ++next) {
      column[next] = (row * 17 + k * 131) % rows;
      value[next] = 0.1 * (k + 1);
    }
    x[row] = row % 10;
  }
  first[rows] = next;
  for (int turn = 0; turn < turns * 30; ++turn) {
    for (int row = 0; row < rows; ++row) {
      double sum = 0;
      for (int k = first[row]; k < first[row + 1]; ++k) sum += value[k] * x[column[k]];
      y[row] = sum;
    }
    x[turn % rows] = y[3] * 0.01;
  }
  return y[11];
}
