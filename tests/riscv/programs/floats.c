/* printf and scanf of floating-point numbers, libm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static const char* const texts[] = {"1",    "0.1",       "-1e308", "4.9e-324", "inf", "nan", "3.14159265358979",
                                      "1e22", "123456.789"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const double x = strtod(texts[i], 0);
    printf("%g %.17g %a %f %e\n", x, x, x, x, x);
    printf("%.15g %.15g %.15g %.15g %.15g\n", sin(x), exp(x), log(fabs(x)), sqrt(fabs(x)), cbrt(x));
    printf("%.7g %.7g %.7g\n", sinf((float)x), powf((float)x, 0.3f), atan2f((float)x, 2));
    printf("%g %g %g %g %ld\n", floor(x), ceil(x), rint(x), trunc(x), isfinite(x) && fabs(x) < 1e9 ? lround(x) : 0L);
    printf("%.20Lg\n", (long double)x / 3);
  }
  return 0;
}
