/* A dot product, each addition behind the one before. */
enum { count = 1024 };
static double a[count], b[count];

double kernel(int turns) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    a[i] = i;
    b[i] = 1.0 / (i + 1);
  }
  for (int turn = 0; turn < turns * 100; ++turn) {
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    a[turn % count] = sum * 1e-9;
  }
  return sum;
}
