/* Calls of the C library with typical arguments, for ../library_costs.py, which runs this in callgrind. Each
 * measurement ends with a dump whose name says the row of sw/abi/hal/library_costs.h, the number of calls and of units.
 */
#define _GNU_SOURCE
#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "tests/bench/library/plain.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static char heading[80];
static void begin(const char* name, int calls, double units) {
  snprintf(heading, sizeof heading, "%s %d %.0f", name, calls, units);
  CALLGRIND_ZERO_STATS;
}

/* The first time warms up. */
#define MEASURE(name, calls, units, statement) \
  do {                                         \
    for (int turn_ = 0; turn_ < 2; ++turn_) {  \
      begin(name, calls, units);               \
      for (int i = 0; i < (calls); ++i) {      \
        statement;                             \
      }                                        \
    }                                          \
    CALLGRIND_DUMP_STATS_AT(heading);          \
  } while (0)

/* ---- libm ---- */
static volatile double any[] = {0.1, 0.7, -1.3, 2.9, -5.3, 11.7, 42.5, -0.02};
static volatile double unit[] = {0.1, 0.45, -0.55, 0.9, -0.97, 0.02, -0.3, 0.7};
static volatile double positive[] = {0.02, 0.3, 0.99, 1.7, 4.2, 37.5, 1234.5, 1e6};
static volatile double beyond_one[] = {1.02, 1.3, 1.99, 2.7, 4.2, 37.5, 1234.5, 1e6};
static volatile double moderate[] = {0.1, 0.7, 1.3, 2.9, 5.3, 11.7, 3.1, 0.9};
static volatile float any_f[8], unit_f[8], positive_f[8], beyond_one_f[8], moderate_f[8];
static double parts[2];
static float parts_f[2];
static int exponent;
static volatile double sink;
static const unsigned short** volatile table;

static void make_floats(void) {
  for (int i = 0; i < 8; ++i) {
    any_f[i] = (float)any[i];
    unit_f[i] = (float)unit[i];
    positive_f[i] = (float)positive[i];
    beyond_one_f[i] = (float)beyond_one[i];
    moderate_f[i] = (float)moderate[i];
  }
}

#define MATH(name, ...) MEASURE(#name, 8, 0, sink = (double)(name(__VA_ARGS__)))
#define ONE(name, from) \
  MATH(name, from[i]);  \
  MATH(name##f, from##_f[i])
#define TWO(name, from, second)       \
  MATH(name, from[i], second[7 - i]); \
  MATH(name##f, from##_f[i], second##_f[7 - i])

static void elementary(void) {
  ONE(sin, any);
  ONE(cos, any);
  ONE(tan, any);
  ONE(asin, unit);
  ONE(acos, unit);
  ONE(atan, any);
  TWO(atan2, any, any);
  ONE(sinh, any);
  ONE(cosh, any);
  ONE(tanh, any);
  ONE(asinh, any);
  ONE(acosh, beyond_one);
  ONE(atanh, unit);
  ONE(exp, any);
  ONE(exp2, any);
  ONE(exp10, any);
  ONE(expm1, any);
  ONE(log, positive);
  ONE(log2, positive);
  ONE(log10, positive);
  ONE(log1p, positive);
  TWO(pow, positive, unit);
  ONE(sqrt, positive);
  ONE(cbrt, any);
  TWO(hypot, any, any);
  ONE(erf, any);
  ONE(erfc, any);
  ONE(tgamma, moderate);
  ONE(lgamma, moderate);
  MEASURE("sincos", 8, 0, sincos(any[i], &parts[0], &parts[1]));
  MEASURE("sincosf", 8, 0, sincosf(any_f[i], &parts_f[0], &parts_f[1]));
}

static void parts_of_numbers(void) {
  ONE(fabs, any);
  ONE(floor, any);
  ONE(ceil, any);
  ONE(round, any);
  ONE(trunc, any);
  ONE(rint, any);
  ONE(nearbyint, any);
  ONE(lround, any);
  ONE(llround, any);
  ONE(lrint, any);
  ONE(llrint, any);
  ONE(logb, any);
  ONE(ilogb, any);
  TWO(fmod, positive, moderate);
  TWO(remainder, positive, moderate);
  TWO(fmin, any, unit);
  TWO(fmax, any, unit);
  TWO(fdim, any, unit);
  TWO(copysign, any, unit);
  TWO(nextafter, any, unit);
  MATH(fma, any[i], unit[i], any[7 - i]);
  MATH(fmaf, any_f[i], unit_f[i], any_f[7 - i]);
  MATH(ldexp, any[i], i - 3);
  MATH(ldexpf, any_f[i], i - 3);
  MATH(scalbn, any[i], i - 3);
  MATH(scalbnf, any_f[i], i - 3);
  MATH(frexp, any[i], &exponent);
  MATH(frexpf, any_f[i], &exponent);
  MATH(modf, any[i], &parts[0]);
  MATH(modff, any_f[i], &parts_f[0]);
  MATH(remquo, positive[i], moderate[i], &exponent);
  MATH(remquof, positive_f[i], moderate_f[i], &exponent);
}

#define Z (any[i] + I * any[7 - i])
#define Z_F (any_f[i] + I * any_f[7 - i])
#define COMPLEX(name) \
  MATH(name, Z);      \
  MATH(name##f, Z_F)

_Complex double __muldc3(double, double, double, double);
_Complex double __divdc3(double, double, double, double);
_Complex float __mulsc3(float, float, float, float);
_Complex float __divsc3(float, float, float, float);
double __powidf2(double, int);
float __powisf2(float, int);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
int __popcountdi2(uint64_t);

static void complex_numbers(void) {
  COMPLEX(cabs);
  COMPLEX(carg);
  COMPLEX(cexp);
  COMPLEX(clog);
  COMPLEX(csqrt);
  COMPLEX(csin);
  COMPLEX(ccos);
  COMPLEX(ctan);
  COMPLEX(casin);
  COMPLEX(cacos);
  COMPLEX(catan);
  COMPLEX(csinh);
  COMPLEX(ccosh);
  COMPLEX(ctanh);
  COMPLEX(casinh);
  COMPLEX(cacosh);
  COMPLEX(catanh);
  MATH(cpow, Z, unit[i] + I * unit[7 - i]);
  MATH(cpowf, Z_F, unit_f[i] + I * unit_f[7 - i]);
}

static void of_gcc(void) {
  MATH(__muldc3, any[i], unit[i], any[7 - i], unit[7 - i]);
  MATH(__divdc3, any[i], unit[i], any[7 - i], unit[7 - i]);
  MATH(__mulsc3, any_f[i], unit_f[i], any_f[7 - i], unit_f[7 - i]);
  MATH(__divsc3, any_f[i], unit_f[i], any_f[7 - i], unit_f[7 - i]);
  MATH(__powidf2, positive[i], i + 2);
  MATH(__powisf2, positive_f[i], i + 2);
  const __int128 large = ((__int128)1 << 90) + 12345;
  MATH(__divti3, large, (__int128)1000 << i * 9);
  MATH(__modti3, large, (__int128)1000 << i * 9);
  MATH(__udivti3, large, (__int128)1000 << i * 9);
  MATH(__umodti3, large, (__int128)1000 << i * 9);
  MATH(__popcountdi2, 0x123456789abcdefull << i);
}

/* ---- memory and texts: plain.h, as compilers of the time would have it ---- */
enum { SHORT = 64, LONG = 1088 };
static char from[2048], to[4096], same[2048];

#define BYTES(name, statement)                        \
  for (int n = SHORT; n <= LONG; n += LONG - SHORT) { \
    memset(from, 'a', sizeof from);                   \
    memset(same, 'a', sizeof same);                   \
    from[n - 1] = same[n - 1] = 'b';                  \
    from[n] = same[n] = to[0] = '\0';                 \
    MEASURE(name, 8, 8.0 * n, statement);             \
  }

static void memory(void) {
  BYTES("memcpy", plain_memcpy(to, from, (size_t)n))
  BYTES("memset", plain_memset(to, 0, (size_t)n))
  BYTES("memcmp", plain_memcmp(from, same, (size_t)n))
  BYTES("memchr", plain_memchr(from, 'b', (size_t)n))
  BYTES("strlen", plain_strlen(from))
  BYTES("strcpy", plain_strcpy(to, from))
  BYTES("strncpy", plain_strncpy(to, from, (size_t)n))
  BYTES("strcmp", plain_strcmp(from, same))
  BYTES("strncmp", plain_strncmp(from, same, (size_t)n))
  BYTES("strcasecmp", plain_strcasecmp(from, same))
  BYTES("strchr", plain_strchr(from, 'b'))
  BYTES("strrchr", plain_strrchr(from, 'b'))
  BYTES("strspn", plain_strspn(from, "bca"))
  BYTES("strstr", plain_strstr(from, "ab"))
}

/* ---- the rest of the C library ---- */
static int ascending(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void sorting(void) {
  static double values[4096];
  for (int n = 64; n <= 4096; n *= 64) {
    for (int i = 0; i < n; ++i) values[i] = plain_random();
    begin("qsort", 1, n * log2(n));
    qsort(values, (size_t)n, sizeof *values, ascending);
    CALLGRIND_DUMP_STATS_AT(heading);
    const double wanted = values[n / 3];
    MEASURE("bsearch", 8, 8 * log2(n), plain_bsearch(&wanted, values, (size_t)n, sizeof *values, ascending));
  }
}

static void heap(void) {
  void* blocks[64];
  const size_t sizes[] = {24, 100, 1000, 40, 8000, 64, 300, 2000};
  for (int i = 0; i < 64; ++i) blocks[i] = malloc(sizes[i % 8]);
  for (int i = 0; i < 64; i += 2) free(blocks[i]);
  begin("malloc", 32, 0);
  for (int i = 0; i < 64; i += 2) blocks[i] = malloc(sizes[(i + 2) % 8]);
  CALLGRIND_DUMP_STATS_AT(heading);
  begin("free", 64, 0);
  for (int i = 0; i < 64; ++i) free(blocks[i]);
  CALLGRIND_DUMP_STATS_AT(heading);
  for (int i = 0; i < 64; ++i) blocks[i] = malloc(24);
  begin("realloc", 64, 0);
  for (int i = 0; i < 64; ++i) blocks[i] = realloc(blocks[i], 24);
  CALLGRIND_DUMP_STATS_AT(heading);
}

#define OF_TEXT(name, text, statement) MEASURE(name, 4, 4.0 * strlen(text), statement)

static void numbers(void) {
  char* end;
  int read[4];
  OF_TEXT("strtol", "7", strtol("7", &end, 10));
  OF_TEXT("strtol", "12345678", strtol("12345678", &end, 10));
  OF_TEXT("strtod", "1.5", strtod("1.5", &end));
  OF_TEXT("strtod", "-0.3141592653589793", strtod("-0.3141592653589793", &end));
  MEASURE("vsscanf", 4, 4, sscanf("1234", "%d", read));
  MEASURE("vsscanf", 4, 16, sscanf("1234 17 3 900", "%d %d %d %d", read, read + 1, read + 2, read + 3));
  MEASURE("rand", 64, 0, rand());
  MEASURE("drand48", 64, 0, drand48());
  MEASURE("srand", 2, 0, srand(7));
  MEASURE("srand48", 2, 0, srand48(7));
  MEASURE("toupper", 8, 0, sink = toupper('a' + i));
  MEASURE("__ctype_b_loc", 8, 0, table = __ctype_b_loc());
}

#define REPORT "rank %d of %d: residual %.6e after %d iterations on %s, %g s\n"
#define PRINT(name, ...)                                                  \
  do {                                                                    \
    const int length = snprintf(to, sizeof to, __VA_ARGS__);              \
    MEASURE(name, 4, 4.0 * length, snprintf(to, sizeof to, __VA_ARGS__)); \
  } while (0)

/* The library's own copies are made by vectors: a plain one beside them. */
static void streams(void) {
  FILE* const out = fopen("/dev/null", "w");
  PRINT("vprintf", "%d", 4);
  PRINT("vprintf", REPORT REPORT, 3, 16, 1.234567e-9, 250, "node7", 0.25, 13, 16, 3.25, 12345, "node11", 1.75);
  memset(from, 'x', sizeof from);
  for (int n = 8; n <= 72; n += 64) {
    from[n] = '\0';
    MEASURE("fputs", 4, 4.0 * n, fputs(from, out));
    MEASURE("puts", 4, 4.0 * n, puts(from));
    MEASURE("fwrite", 4, 4.0 * n, fwrite(from, 1, (size_t)n, out); plain_memcpy(to, from, (size_t)n));
    from[n] = 'x';
  }
  MEASURE("fputc", 64, 0, fputc('a' + i, out));
  fclose(out);
  FILE* const in = fmemopen(from, sizeof from, "r");
  for (int n = 8; n <= 72; n += 64) {
    rewind(in);
    fgetc(in);
    MEASURE("fgets", 4, 4.0 * n, fgets(to, n + 1, in));
    MEASURE("fread", 4, 4.0 * n, fread(to, 1, (size_t)n, in); plain_memcpy(to, from, (size_t)n));
  }
  MEASURE("fgetc", 64, 0, fgetc(in));
  fclose(in);
}

int main(void) {
  if (freopen("/dev/null", "w", stdout) == NULL) return 1;
  make_floats();
  CALLGRIND_START_INSTRUMENTATION;
  elementary();
  parts_of_numbers();
  complex_numbers();
  of_gcc();
  memory();
  sorting();
  heap();
  numbers();
  streams();
  CALLGRIND_STOP_INSTRUMENTATION;
  return 0;
}
