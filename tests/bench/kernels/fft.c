/* A fast Fourier transform, in place. */
#include <math.h>
enum { size = 512 };
static double re[size], im[size], cosine[size / 2], sine[size / 2];

static void transform(void) {
  for (int i = 1, j = 0; i < size; ++i) {
    int bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const double r = re[i], m = im[i];
      re[i] = re[j];
      im[i] = im[j];
      re[j] = r;
      im[j] = m;
    }
  }
  for (int length = 2; length <= size; length *= 2) {
    const int half = length / 2, step = size / length;
    for (int begin = 0; begin < size; begin += length) {
      for (int k = 0; k < half; ++k) {
        const double wr = cosine[k * step], wi = sine[k * step];
        double *const r = re + begin + k, *const m = im + begin + k;
        const double xr = r[half] * wr - m[half] * wi, xi = r[half] * wi + m[half] * wr;
        r[half] = (r[0] - xr) * 0.5;
        m[half] = (m[0] - xi) * 0.5;
        r[0] = (r[0] + xr) * 0.5;
        m[0] = (m[0] + xi) * 0.5;
      }
    }
  }
}

double kernel(int turns) {
  for (int k = 0; k < size / 2; ++k) {
    cosine[k] = cos(6.283185307179586 * k / size);
    sine[k] = sin(6.283185307179586 * k / size);
  }
  for (int turn = 0; turn < turns * 10; ++turn) {
    for (int i = 0; i < size; ++i) {
      re[i] = (i * 7 + turn) % 100;
      im[i] = 0;
    }
    transform();
  }
  return re[3] + im[9];
}
