/* Rounding modes and exception flags. */
#include <fenv.h>
#include <stdio.h>
int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, 4};
  volatile double one = 1, three = 3, tiny = 1e-300, huge = 1e300, half = 0.5, big = 2251799813685249.5;
  for (int i = 0; i < 5; ++i) {
    if (i == 4)
      __asm__ volatile("fsrmi 4");
    else
      fesetround(modes[i]);
    feclearexcept(FE_ALL_EXCEPT);
    volatile double a = one / three, b = -one / three, c = tiny * tiny, d = huge * huge, e = big + half,
                    f = one / (tiny * 0 * half);
    volatile float g = (float)a;
    printf("%a %a %a %a %a %a %a %x\n", a, b, c, d, e, f, (double)g, fetestexcept(FE_ALL_EXCEPT));
  }
  return 0;
}
