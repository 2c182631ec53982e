/* State that the C library keeps once per program is private to each process here: random numbers, strtok's position,
 * calendars, the table of hsearch. And output that a process writes to its standard streams past stdio is labelled like
 * the rest (--wrap, cmake/Images.cmake). */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sw/abi/hal/files.h"
#include "sw/hal/attached.h"
#include "sw/hal/charge.h"
#include "sw/hal/standard_files.h"
#include "sw/hal/stream_use.h"

/* ---- standard streams ---- */
/* Files instead of the simulator's own streams, which this process must not close; null: none. */
static FILE *file_for_stdout, *file_for_stderr;

int __real_fclose(FILE* stream);

static FILE *labelled_stdout, *labelled_stderr; /* while there are files instead */

/* By null: with the labelled stream again. */
static void replace(int descriptor, FILE* with) {
  FILE** const standard = descriptor == STDERR_FILENO ? &stderr : &stdout;
  FILE** const file = descriptor == STDERR_FILENO ? &file_for_stderr : &file_for_stdout;
  FILE** const labelled = descriptor == STDERR_FILENO ? &labelled_stderr : &labelled_stdout;
  fflush(*standard);
  if (*file != NULL)
    __real_fclose(*file);
  else
    *labelled = *standard;
  *file = with;
  *standard = with != NULL ? with : *labelled;
}

static int is_same_file(int one, int other) {
  struct stat a, b;
  return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int hal_redirect(int descriptor, int standard) {
  if (is_same_file(descriptor, standard)) {
    replace(standard, NULL);
    return 0;
  }
  const int copy = dup(descriptor);
  FILE* const file = copy >= 0 ? fdopen(copy, "w") : NULL;
  if (file == NULL) return -1;
  if (standard == STDERR_FILENO) setvbuf(file, NULL, _IONBF, 0);
  replace(standard, file);
  return 0;
}

static int is_standard(const FILE* stream) { return hal_host_calls != NULL && (stream == stdout || stream == stderr); }

FILE* __real_freopen(const char* path, const char* mode, FILE* stream);

FILE* __wrap_freopen(const char* path, const char* mode, FILE* stream) {
  if (!is_standard(stream)) return __real_freopen(path, mode, stream);
  if (path == NULL) return stream; /* another mode alone: they are written to in any */
  FILE* file = fopen(path, mode);
  if (file == NULL) return NULL;
  replace(stream == stdout ? STDOUT_FILENO : STDERR_FILENO, file);
  return file;
}

FILE* __wrap_freopen64(const char* path, const char* mode, FILE* stream) { return __wrap_freopen(path, mode, stream); }

/* Discards all later output. */
int __wrap_fclose(FILE* stream) {
  hal_stream_closing(stream);
  if (!is_standard(stream)) return __real_fclose(stream);
  return __wrap_freopen("/dev/null", "w", stream) == NULL ? EOF : 0;
}

ssize_t __real_write(int descriptor, const void* text, size_t bytes);

/* Raises the signal of a failed write if the program has a handler; without one it has ended (surroundings.c). */
static ssize_t signalled(ssize_t written) {
  const int error = errno;
  if (written < 0 && hal_host_calls != NULL && (error == EPIPE || error == EFBIG))
    raise(error == EPIPE ? SIGPIPE : SIGXFSZ);
  errno = error;
  return written;
}

ssize_t __wrap_write(int descriptor, const void* text, size_t bytes) {
  if (hal_host_calls == NULL || (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO))
    return hal_file_moved(descriptor, HAL_FILE_WRITE, signalled(__real_write(descriptor, text, bytes)));
  FILE* const file = descriptor == STDERR_FILENO ? file_for_stderr : file_for_stdout;
  if (file != NULL)
    return hal_file_moved(fileno(file), HAL_FILE_WRITE, signalled(__real_write(fileno(file), text, bytes)));
  hal_host_calls->calls->output(hal_host_calls->self, descriptor == STDERR_FILENO, text, bytes);
  return (ssize_t)bytes;
}

/* Weak: many programs have a dprintf of their own, for debugging. */
#define WEAK __attribute__((weak))

WEAK int vdprintf(int descriptor, const char* restrict format, va_list values) {
  char* text = NULL;
  const int length = vasprintf(&text, format, values);
  if (length < 0) return -1;
  ssize_t done = 0, now = 0;
  for (; done < length && (now >= 0 || errno == EINTR); done += now > 0 ? now : 0)
    now = write(descriptor, text + done, (size_t)(length - done));
  free(text);
  return done < length ? -1 : length;
}

WEAK int dprintf(int descriptor, const char* restrict format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vdprintf(descriptor, format, values);
  va_end(values);
  return length;
}

/* ---- strtok ---- */
char* __wrap_strtok(char* text, const char* between) {
  static char* place;
  return strtok_r(text, between, &place);
}

/* ---- calendars: one text and one table for each process, as localtime and ctime share them ---- */
static struct tm* calendar(void) {
  static struct tm fields;
  return &fields;
}

static char* calendar_text(void) {
  static char text[26 + 64]; /* years of more than four digits take more than the usual 26 */
  return text;
}

WEAK struct tm* gmtime(const time_t* seconds) { return gmtime_r(seconds, calendar()); }

WEAK struct tm* localtime(const time_t* seconds) {
  tzset();
  return localtime_r(seconds, calendar());
}

WEAK char* asctime(const struct tm* fields) { return asctime_r(fields, calendar_text()); }

WEAK char* ctime(const time_t* seconds) {
  const struct tm* const fields = localtime(seconds);
  return fields == NULL ? NULL : asctime(fields);
}

/* ---- hsearch: many programs have one of their own ---- */
static struct hsearch_data* table(void) {
  static struct hsearch_data data;
  return &data;
}

WEAK int hcreate(size_t entries) { return hcreate_r(entries, table()); }

WEAK void hdestroy(void) { hdestroy_r(table()); }

WEAK ENTRY* hsearch(ENTRY item, ACTION action) {
  ENTRY* found = NULL;
  hsearch_r(item, action, &found, table());
  return found;
}

/* ---- rand, random: the C library's own generator and first seed, so the numbers are the usual ones ---- */
static struct random_data* generator(void) {
  static struct random_data data;
  static char state[128];
  if (data.state == NULL) initstate_r(1, state, sizeof state, &data);
  return &data;
}

long __wrap_random(void) {
  hal_charge(HAL_LIBRARY_random, 0);
  int32_t number = 0;
  random_r(generator(), &number);
  return number;
}

void __wrap_srandom(unsigned seed) {
  hal_charge(HAL_LIBRARY_srandom, 0);
  srandom_r(seed, generator());
}

int __wrap_rand(void) { return (int)__wrap_random(); }

void __wrap_srand(unsigned seed) { __wrap_srandom(seed); }

/* ---- drand48 and its kin ---- */
static struct drand48_data* generator48(void) {
  static struct drand48_data data;
  return &data;
}

void __wrap_srand48(long seed) {
  hal_charge(HAL_LIBRARY_srand48, 0);
  srand48_r(seed, generator48());
}

double __wrap_drand48(void) {
  hal_charge(HAL_LIBRARY_drand48, 0);
  double number = 0;
  drand48_r(generator48(), &number);
  return number;
}

long __wrap_lrand48(void) {
  hal_charge(HAL_LIBRARY_lrand48, 0);
  long number = 0;
  lrand48_r(generator48(), &number);
  return number;
}

long __wrap_mrand48(void) {
  hal_charge(HAL_LIBRARY_mrand48, 0);
  long number = 0;
  mrand48_r(generator48(), &number);
  return number;
}
