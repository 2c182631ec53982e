/* The environment is each process's own from the first change on (--wrap, cmake/Images.cmake). Until then, and for
 * programs that read `environ` itself, it is that of the simulator, as mpirun hands it to all ranks. Its size differs
 * from user to user and must not affect times: its list is outside the process's heap, and searching it is free of
 * charge. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own functions, not those that are charged and that use the process's heap. */
void* __real_realloc(void* pointer, size_t bytes);
void* __real_memcpy(void* to, const void* from, size_t bytes);
int __real_strncmp(const char* left, const char* right, size_t most);

static char** own; /* null-terminated "NAME=VALUE"; null: none yet */
static size_t count;

/* Makes room for one more. */
static int reserve(void) {
  size_t present = 0;
  if (own == NULL)
    while (environ != NULL && environ[present] != NULL) ++present;
  char** larger = __real_realloc(own, ((own == NULL ? present : count) + 2) * sizeof *larger);
  if (larger == NULL) return -1;
  if (own == NULL) {
    __real_memcpy(larger, environ, present * sizeof *larger);
    count = present;
  }
  own = larger;
  own[count] = NULL;
  return 0;
}

/* Index of the variable; `count` if it is not set. */
static size_t find(const char* name, size_t length) {
  size_t i = 0;
  while (i < count && !(__real_strncmp(own[i], name, length) == 0 && own[i][length] == '=')) ++i;
  return i;
}

static int is_name(const char* name) { return name != NULL && name[0] != '\0' && strchr(name, '=') == NULL; }

char* __real_getenv(const char* name);

char* __wrap_getenv(const char* name) {
  if (own == NULL) return __real_getenv(name);
  const size_t length = strlen(name), place = find(name, length);
  return place < count ? own[place] + length + 1 : NULL;
}

int __wrap_putenv(char* text) {
  const char* equals = strchr(text, '=');
  if (equals == NULL) return unsetenv(text);
  if (reserve() != 0) return -1;
  const size_t place = find(text, (size_t)(equals - text));
  own[place] = text;
  if (place == count) own[++count] = NULL;
  return 0;
}

int __wrap_setenv(const char* name, const char* value, int overwrite) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  if (!overwrite && __wrap_getenv(name) != NULL) return 0;
  const size_t room = strlen(name) + strlen(value) + 2;
  char* text = malloc(room); /* never freed: as in the C library, an earlier caller of getenv may still use it */
  if (text == NULL) return -1;
  snprintf(text, room, "%s=%s", name, value);
  return __wrap_putenv(text);
}

int __wrap_unsetenv(const char* name) {
  if (!is_name(name)) {
    errno = EINVAL;
    return -1;
  }
  if (reserve() != 0) return -1;
  const size_t place = find(name, strlen(name));
  if (place < count) own[place] = own[--count];
  own[count] = NULL;
  return 0;
}

int __wrap_clearenv(void) {
  if (reserve() != 0) return -1;
  count = 0;
  own[0] = NULL;
  return 0;
}
