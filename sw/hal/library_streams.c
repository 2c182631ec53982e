/* Printing, reading, numbers in texts, sorting and random numbers of the C library, charged (library_costs.h).
 * stream_use.h charges the bytes read and printed. */
#include <stdarg.h>

#include "sw/hal/charge.h"
#include "sw/hal/stream_use.h"

typedef struct _IO_FILE FILE; /* without <stdio.h>, which gives these functions other names */

#define DECLARE(result, name, parameters) \
  result __real_##name parameters;        \
  result __wrap_##name parameters

/* The functions that the headers of glibc 2.38 and newer call instead of NAME, in C23 and with _GNU_SOURCE. The older
 * glibc has none of these functions, and no caller: their addresses are null there, as they are weak. */
#define OF_C23(name) extern __typeof__(__real_##name) __real___isoc23_##name __attribute__((weak));

/* ---- formats ---- */
#define FORMATTED(name, stream, parameters, ...)                \
  DECLARE(int, name, parameters);                               \
  int __wrap_##name parameters {                                \
    const struct hal_stream before = hal_stream_before(stream); \
    const int count = __real_##name(__VA_ARGS__);               \
    HAL_CHARGE(name, count > 0 ? (uint64_t)count : 0);          \
    hal_stream_after(stream, &before);                          \
    return count;                                               \
  }                                                             \
  int name parameters;

#define NO_STREAM ((FILE*)0)
extern FILE* stdout;

FORMATTED(vprintf, stdout, (const char* format, va_list values), format, values)
FORMATTED(vfprintf, file, (FILE * file, const char* format, va_list values), file, format, values)
FORMATTED(vsprintf, NO_STREAM, (char* to, const char* format, va_list values), to, format, values)
FORMATTED(vsnprintf, NO_STREAM, (char* to, size_t room, const char* format, va_list values), to, room, format, values)

FORMATTED(vscanf, NO_STREAM, (const char* format, va_list values), format, values)
FORMATTED(vfscanf, file, (FILE * file, const char* format, va_list values), file, format, values)
FORMATTED(vsscanf, NO_STREAM, (const char* text, const char* format, va_list values), text, format, values)
FORMATTED(__isoc99_vscanf, NO_STREAM, (const char* format, va_list values), format, values)
FORMATTED(__isoc99_vfscanf, file, (FILE * file, const char* format, va_list values), file, format, values)
FORMATTED(__isoc99_vsscanf, NO_STREAM, (const char* text, const char* format, va_list values), text, format, values)

OF_C23(vscanf)
OF_C23(vfscanf)
OF_C23(vsscanf)
FORMATTED(__isoc23_vscanf, NO_STREAM, (const char* format, va_list values), format, values)
FORMATTED(__isoc23_vfscanf, file, (FILE * file, const char* format, va_list values), file, format, values)
FORMATTED(__isoc23_vsscanf, NO_STREAM, (const char* text, const char* format, va_list values), text, format, values)

/* Arguments of a variadic function cannot be passed on, so a program's own printf must take precedence: weak, which
 * --wrap would not allow. */
#define VARIADIC(name, parameters, call)      \
  int name parameters;                        \
  __attribute__((weak)) int name parameters { \
    va_list values;                           \
    va_start(values, format);                 \
    const int count = call;                   \
    va_end(values);                           \
    return count;                             \
  }

VARIADIC(printf, (const char* format, ...), vprintf(format, values))
VARIADIC(fprintf, (FILE * file, const char* format, ...), vfprintf(file, format, values))
VARIADIC(sprintf, (char* to, const char* format, ...), vsprintf(to, format, values))
VARIADIC(snprintf, (char* to, size_t room, const char* format, ...), vsnprintf(to, room, format, values))

VARIADIC(scanf, (const char* format, ...), vscanf(format, values))
VARIADIC(fscanf, (FILE * file, const char* format, ...), vfscanf(file, format, values))
VARIADIC(sscanf, (const char* text, const char* format, ...), vsscanf(text, format, values))
VARIADIC(__isoc99_scanf, (const char* format, ...), __isoc99_vscanf(format, values))
VARIADIC(__isoc99_fscanf, (FILE * file, const char* format, ...), __isoc99_vfscanf(file, format, values))
VARIADIC(__isoc99_sscanf, (const char* text, const char* format, ...), __isoc99_vsscanf(text, format, values))
VARIADIC(__isoc23_scanf, (const char* format, ...), __isoc23_vscanf(format, values))
VARIADIC(__isoc23_fscanf, (FILE * file, const char* format, ...), __isoc23_vfscanf(file, format, values))
VARIADIC(__isoc23_sscanf, (const char* text, const char* format, ...), __isoc23_vsscanf(text, format, values))

/* ---- bytes and lines ---- */
size_t __real_strlen(const char* text);

DECLARE(int, puts, (const char* text));
int __wrap_puts(const char* text) {
  HAL_CHARGE(puts, __real_strlen(text));
  const struct hal_stream before = hal_stream_before(stdout);
  const int result = __real_puts(text);
  hal_stream_after(stdout, &before);
  return result;
}

DECLARE(int, fputs, (const char* text, FILE* file));
int __wrap_fputs(const char* text, FILE* file) {
  HAL_CHARGE(fputs, __real_strlen(text));
  const struct hal_stream before = hal_stream_before(file);
  const int result = __real_fputs(text, file);
  hal_stream_after(file, &before);
  return result;
}

DECLARE(size_t, fwrite, (const void* from, size_t each, size_t count, FILE* file));
size_t __wrap_fwrite(const void* from, size_t each, size_t count, FILE* file) {
  HAL_CHARGE(fwrite, each * count);
  const struct hal_stream before = hal_stream_before(file);
  const size_t done = __real_fwrite(from, each, count, file);
  hal_stream_after(file, &before);
  return done;
}

DECLARE(size_t, fread, (void* to, size_t each, size_t count, FILE* file));
size_t __wrap_fread(void* to, size_t each, size_t count, FILE* file) {
  const struct hal_stream before = hal_stream_before(file);
  const size_t done = __real_fread(to, each, count, file);
  HAL_CHARGE(fread, each * done);
  hal_stream_after(file, &before);
  return done;
}

DECLARE(char*, fgets, (char* to, int room, FILE* file));
char* __wrap_fgets(char* to, int room, FILE* file) {
  const struct hal_stream before = hal_stream_before(file);
  char* const line = __real_fgets(to, room, file);
  HAL_CHARGE(fgets, line != NULL ? __real_strlen(line) : 0);
  hal_stream_after(file, &before);
  return line;
}

#define FIXED(result, name, parameters, ...) \
  DECLARE(result, name, parameters);         \
  result __wrap_##name parameters {          \
    HAL_CHARGE(name, 0);                     \
    return __real_##name(__VA_ARGS__);       \
  }

#define BYTE(name, stream, parameters, ...)                     \
  DECLARE(int, name, parameters);                               \
  int __wrap_##name parameters {                                \
    HAL_CHARGE(name, 0);                                        \
    const struct hal_stream before = hal_stream_before(stream); \
    const int byte = __real_##name(__VA_ARGS__);                \
    hal_stream_after(stream, &before);                          \
    return byte;                                                \
  }

BYTE(fputc, file, (int character, FILE* file), character, file)
BYTE(putc, file, (int character, FILE* file), character, file)
BYTE(putchar, stdout, (int character), character)
BYTE(fgetc, file, (FILE * file), file)
BYTE(getc, file, (FILE * file), file)
FIXED(int, getchar, (void))
FIXED(int, ungetc, (int character, FILE* file), character, file)

/* ---- numbers in texts ---- */
#define NUMBER(result, name, parameters, ...)         \
  DECLARE(result, name, parameters);                  \
  result __wrap_##name parameters {                   \
    char* behind;                                     \
    const result number = __real_##name(__VA_ARGS__); \
    HAL_CHARGE(name, (size_t)(behind - text));        \
    if (end != NULL) *end = behind;                   \
    return number;                                    \
  }
#define INTEGER(result, name) NUMBER(result, name, (const char* text, char** end, int base), text, &behind, base)
#define FLOAT(result, name) NUMBER(result, name, (const char* text, char** end), text, &behind)

INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
INTEGER(intmax_t, strtoimax)
INTEGER(uintmax_t, strtoumax)
#define INTEGER_OF_C23(result, name) OF_C23(name) INTEGER(result, __isoc23_##name)
INTEGER_OF_C23(long, strtol)
INTEGER_OF_C23(unsigned long, strtoul)
INTEGER_OF_C23(long long, strtoll)
INTEGER_OF_C23(unsigned long long, strtoull)
INTEGER_OF_C23(intmax_t, strtoimax)
INTEGER_OF_C23(uintmax_t, strtoumax)
FLOAT(double, strtod)
FLOAT(float, strtof)
FLOAT(long double, strtold)

static size_t integer_bytes(const char* text) {
  char* end;
  __real_strtol(text, &end, 10);
  return (size_t)(end - text);
}

static size_t float_bytes(const char* text) {
  char* end;
  __real_strtod(text, &end);
  return (size_t)(end - text);
}

#define SIMPLE_NUMBER(result, name, bytes)   \
  DECLARE(result, name, (const char* text)); \
  result __wrap_##name(const char* text) {   \
    HAL_CHARGE(name, bytes(text));           \
    return __real_##name(text);              \
  }

SIMPLE_NUMBER(int, atoi, integer_bytes)
SIMPLE_NUMBER(long, atol, integer_bytes)
SIMPLE_NUMBER(long long, atoll, integer_bytes)
SIMPLE_NUMBER(double, atof, float_bytes)

/* ---- sorting ---- */
typedef int comparison(const void* left, const void* right);

static unsigned log2_of(size_t count) { return count > 1 ? 63 - (unsigned)__builtin_clzl(count) : 0; }

/* An interpolation between the powers of two. */
static uint64_t times_log2(size_t count) {
  const unsigned whole = log2_of(count);
  return count == 0 ? 0 : count * whole + 2 * (count - ((size_t)1 << whole));
}

DECLARE(void, qsort, (void* base, size_t count, size_t each, comparison* compare));
void __wrap_qsort(void* base, size_t count, size_t each, comparison* compare) {
  HAL_CHARGE(qsort, times_log2(count));
  __real_qsort(base, count, each, compare);
}

DECLARE(void*, bsearch, (const void* key, const void* base, size_t count, size_t each, comparison* compare));
void* __wrap_bsearch(const void* key, const void* base, size_t count, size_t each, comparison* compare) {
  HAL_CHARGE(bsearch, log2_of(count));
  return __real_bsearch(key, base, count, each, compare);
}

/* ---- random numbers with the state in the program; the others are in c_library.c ---- */
FIXED(int, rand_r, (unsigned* seed), seed)
FIXED(double, erand48, (unsigned short state[3]), state)
FIXED(long, nrand48, (unsigned short state[3]), state)
FIXED(long, jrand48, (unsigned short state[3]), state)
