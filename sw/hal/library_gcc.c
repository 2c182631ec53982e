/* The functions that GCC calls for 128-bit integers, powers and complex numbers, charged (library_costs.h): libgcc,
 * which is linked into the image and not counted. */
#include "sw/hal/charge.h"

#define WRAP(result, name, parameters, ...) \
  result __real_##name parameters;          \
  result __wrap_##name parameters;          \
  result __wrap_##name parameters {         \
    hal_charge(HAL_LIBRARY_##name, 0);      \
    return __real_##name(__VA_ARGS__);      \
  }

typedef __int128 integer;
typedef unsigned __int128 natural;

WRAP(integer, __divti3, (integer a, integer b), a, b)
WRAP(integer, __modti3, (integer a, integer b), a, b)
WRAP(natural, __udivti3, (natural a, natural b), a, b)
WRAP(natural, __umodti3, (natural a, natural b), a, b)
WRAP(integer, __divmodti4, (integer a, integer b, integer* rest), a, b, rest)
WRAP(natural, __udivmodti4, (natural a, natural b, natural* rest), a, b, rest)
WRAP(int, __popcountdi2, (int64_t a), a)

WRAP(double, __powidf2, (double x, int n), x, n)
WRAP(float, __powisf2, (float x, int n), x, n)
WRAP(long double, __powixf2, (long double x, int n), x, n)

#define COMPLEX(name, type) WRAP(_Complex type, name, (type a, type b, type c, type d), a, b, c, d)
COMPLEX(__muldc3, double)
COMPLEX(__mulsc3, float)
COMPLEX(__mulxc3, long double)
COMPLEX(__divdc3, double)
COMPLEX(__divsc3, float)
COMPLEX(__divxc3, long double)
