/* Memory that the C library allocates for a program, or enlarges, is in the process's heap (heap.c): its own realloc
 * does not know that heap, and cards reach no other. Many programs define some of these, for systems that lack them:
 * weak, so that theirs take precedence, which --wrap would not allow. What is not here (open_memstream, scandir ...)
 * stays in the C library's own heap, which free and realloc know.
 */
#define _GNU_SOURCE
#include <features.h>
#undef __USE_EXTERN_INLINES /* of which getline is one */

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define WEAK __attribute__((weak))

static ssize_t fail(int error) {
  errno = error;
  return -1;
}

WEAK void* reallocarray(void* pointer, size_t count, size_t each) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, each, &bytes)) return realloc(pointer, bytes);
  errno = ENOMEM;
  return NULL;
}

/* ---- lines ---- */
#define FIRST_ROOM 120u /* as the C library's */

static int have_room(char** line, size_t* room, size_t wanted) {
  if (*line != NULL && *room >= wanted) return 1;
  const size_t present = *line != NULL ? *room : 0;
  const size_t more = present >= FIRST_ROOM / 2 ? 2 * present : FIRST_ROOM;
  char* const larger = realloc(*line, more);
  if (larger == NULL) return 0;
  *line = larger;
  *room = more;
  return 1;
}

static ssize_t read_until(char** line, size_t* room, int end, FILE* file) {
  size_t length = 0;
  int byte = 0;
  if (!have_room(line, room, 1)) return -1;
  do {
    byte = getc_unlocked(file);
    if (byte == EOF) break;
    if (!have_room(line, room, length + 2)) return -1;
    (*line)[length++] = (char)byte;
  } while (byte != end);
  (*line)[length] = '\0';
  return length == 0 || (byte == EOF && ferror_unlocked(file)) ? -1 : (ssize_t)length;
}

WEAK ssize_t getdelim(char** restrict line, size_t* restrict room, int end, FILE* restrict file) {
  if (line == NULL || room == NULL) return fail(EINVAL);
  flockfile(file);
  const ssize_t length = read_until(line, room, end, file);
  funlockfile(file);
  return length;
}

/* The function that <stdio.h> replaces getline by when it optimises. */
WEAK ssize_t __getdelim(char** restrict line, size_t* restrict room, int end, FILE* restrict file) {
  return getdelim(line, room, end, file);
}

WEAK ssize_t getline(char** restrict line, size_t* restrict room, FILE* restrict file) {
  return getdelim(line, room, '\n', file);
}

/* ---- texts ---- */
WEAK int vasprintf(char** restrict text, const char* restrict format, va_list values) {
  va_list again;
  va_copy(again, values);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  *text = length < 0 ? NULL : malloc((size_t)length + 1);
  return *text == NULL ? -1 : vsnprintf(*text, (size_t)length + 1, format, values);
}

WEAK int asprintf(char** restrict text, const char* restrict format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vasprintf(text, format, values);
  va_end(values);
  return length;
}

WEAK wchar_t* wcsdup(const wchar_t* text) {
  const size_t count = wcslen(text) + 1;
  wchar_t* const copy = malloc(count * sizeof *copy);
  return copy == NULL ? NULL : wmemcpy(copy, text, count);
}

/* ---- paths ---- */
char* __real_strcpy(char* to, const char* from); /* free of charge */
char* __real_getcwd(char* path, size_t room);
char* __real_realpath(const char* path, char* resolved);

/* Blocks of one size: the addresses of a program's next allocations must not depend on the length of the path. */
static char* new_path(size_t bytes, char* found) {
  char* const copy = found == NULL ? NULL : malloc(bytes);
  return copy == NULL ? NULL : __real_strcpy(copy, found);
}

/* `room` of 0: as much as it needs. */
char* __wrap_getcwd(char* path, size_t room) {
  char found[PATH_MAX];
  if (path != NULL) return __real_getcwd(path, room);
  if (room == 0) room = sizeof found;
  return new_path(room, __real_getcwd(found, room < sizeof found ? room : sizeof found));
}

char* __wrap_realpath(const char* path, char* resolved) {
  char found[PATH_MAX];
  return resolved != NULL ? __real_realpath(path, resolved) : new_path(sizeof found, __real_realpath(path, found));
}
