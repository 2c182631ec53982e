/* libm, charged (library_costs.h): each function for double, float and long double. */
#include "sw/hal/charge.h"

#define WRAP(result, name, parameters, ...) \
  result __real_##name parameters;          \
  result __wrap_##name parameters;          \
  result __wrap_##name parameters {         \
    HAL_CHARGE(name, 0);                    \
    return __real_##name(__VA_ARGS__);      \
  }

#define ALL(of, name) of(double, name) of(float, name##f) of(long double, name##l)
#define X(type, name) WRAP(type, name, (type x), x)
#define XY(type, name) WRAP(type, name, (type x, type y), x, y)
#define XYZ(type, name) WRAP(type, name, (type x, type y, type z), x, y, z)
#define X_TO_INT(type, name) WRAP(int, name, (type x), x)
#define X_TO_LONG(type, name) WRAP(long, name, (type x), x)
#define X_TO_LONG_LONG(type, name) WRAP(long long, name, (type x), x)
#define X_AND_INT(type, name) WRAP(type, name, (type x, int n), x, n)
#define X_AND_LONG(type, name) WRAP(type, name, (type x, long n), x, n)
#define X_WITH_INT(type, name) WRAP(type, name, (type x, int* n), x, n)
#define X_WITH_PART(type, name) WRAP(type, name, (type x, type * part), x, part)
#define XY_WITH_INT(type, name) WRAP(type, name, (type x, type y, int* n), x, y, n)
#define Z(type, name) WRAP(_Complex type, name, (_Complex type z), z)
#define ZZ(type, name) WRAP(_Complex type, name, (_Complex type y, _Complex type z), y, z)
#define Z_TO_X(type, name) WRAP(type, name, (_Complex type z), z)

ALL(X, sin)
ALL(X, cos)
ALL(X, tan)
ALL(X, asin)
ALL(X, acos)
ALL(X, atan)
ALL(XY, atan2)
ALL(X, sinh)
ALL(X, cosh)
ALL(X, tanh)
ALL(X, asinh)
ALL(X, acosh)
ALL(X, atanh)
ALL(X, exp)
ALL(X, exp2)
ALL(X, exp10)
ALL(X, expm1)
ALL(X, log)
ALL(X, log2)
ALL(X, log10)
ALL(X, log1p)
ALL(XY, pow)
ALL(X, sqrt)
ALL(X, cbrt)
ALL(XY, hypot)
ALL(X, erf)
ALL(X, erfc)
ALL(X, tgamma)
ALL(X, lgamma)

ALL(X, fabs)
ALL(X, floor)
ALL(X, ceil)
ALL(X, round)
ALL(X, trunc)
ALL(X, rint)
ALL(X, nearbyint)
ALL(X_TO_LONG, lround)
ALL(X_TO_LONG, lrint)
ALL(X_TO_LONG_LONG, llround)
ALL(X_TO_LONG_LONG, llrint)
ALL(X, logb)
ALL(X_TO_INT, ilogb)
ALL(XY, fmod)
ALL(XY, remainder)
ALL(XY_WITH_INT, remquo)
ALL(XY, fmin)
ALL(XY, fmax)
ALL(XY, fdim)
ALL(XY, copysign)
ALL(XY, nextafter)
ALL(XYZ, fma)
ALL(X_AND_INT, ldexp)
ALL(X_AND_INT, scalbn)
ALL(X_AND_LONG, scalbln)
ALL(X_WITH_INT, frexp)
ALL(X_WITH_PART, modf)

ALL(Z_TO_X, cabs)
ALL(Z_TO_X, carg)
ALL(Z, cexp)
ALL(Z, clog)
ALL(Z, csqrt)
ALL(ZZ, cpow)
ALL(Z, csin)
ALL(Z, ccos)
ALL(Z, ctan)
ALL(Z, casin)
ALL(Z, cacos)
ALL(Z, catan)
ALL(Z, csinh)
ALL(Z, ccosh)
ALL(Z, ctanh)
ALL(Z, casinh)
ALL(Z, cacosh)
ALL(Z, catanh)

#define SINCOS(type, name)                               \
  void __real_##name(type x, type* sine, type* cosine);  \
  void __wrap_##name(type x, type* sine, type* cosine);  \
  void __wrap_##name(type x, type* sine, type* cosine) { \
    HAL_CHARGE(name, 0);                                 \
    __real_##name(x, sine, cosine);                      \
  }
ALL(SINCOS, sincos)
