/* The triad of STREAM, in level one. */
enum { count = 1024 };
static double a[count], b[count], c[count];

double kernel(int turns) {
  for (int i = 0; i < count; ++i) {
    b[i] = i;
    c[i] = 1.0 / (i + 1);
  }
  for (int turn = 0; turn < turns * 300; ++turn) {
    for (int i = 0; i < count; ++i) a[i] = b[i] + 3.0 * c[i];
    b[turn % count] = a[7];
  }
  return a[5] + b[9];
}
