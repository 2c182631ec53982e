/* Memory and strings, charged (library_costs.h). If the result does not show how many bytes a call has read, they are
 * counted again. */
#include "sw/hal/charge.h"

#define DECLARE(result, name, parameters) \
  result __real_##name parameters;        \
  result __wrap_##name parameters

/* ---- memory ---- */
#define COPY_MEMORY(name)                                           \
  DECLARE(void*, name, (void* to, const void* from, size_t bytes)); \
  void* __wrap_##name(void* to, const void* from, size_t bytes) {   \
    HAL_CHARGE_WALK(name, from, NULL, to, bytes);                   \
    return __real_##name(to, from, bytes);                          \
  }

COPY_MEMORY(memcpy)
COPY_MEMORY(memmove)
COPY_MEMORY(mempcpy)

DECLARE(void*, memset, (void* to, int value, size_t bytes));
void* __wrap_memset(void* to, int value, size_t bytes) {
  HAL_CHARGE_WALK(memset, NULL, NULL, to, bytes);
  return __real_memset(to, value, bytes);
}

DECLARE(void, bcopy, (const void* from, void* to, size_t bytes));
void __wrap_bcopy(const void* from, void* to, size_t bytes) {
  HAL_CHARGE_WALK(bcopy, from, NULL, to, bytes);
  __real_bcopy(from, to, bytes);
}

DECLARE(void, bzero, (void* to, size_t bytes));
void __wrap_bzero(void* to, size_t bytes) {
  HAL_CHARGE_WALK(bzero, NULL, NULL, to, bytes);
  __real_bzero(to, bytes);
}

static size_t same_bytes(const unsigned char* left, const unsigned char* right, size_t most) {
  size_t i = 0;
  while (i < most && left[i] == right[i]) ++i;
  return i;
}

#define COMPARE_MEMORY(name)                                                 \
  DECLARE(int, name, (const void* left, const void* right, size_t bytes));   \
  int __wrap_##name(const void* left, const void* right, size_t bytes) {     \
    const int order = __real_##name(left, right, bytes);                     \
    const size_t same = order == 0 ? bytes : same_bytes(left, right, bytes); \
    HAL_CHARGE_WALK(name, left, right, NULL, same);                          \
    return order;                                                            \
  }

COMPARE_MEMORY(memcmp)
COMPARE_MEMORY(bcmp)

DECLARE(void*, memchr, (const void* text, int byte, size_t bytes));
void* __wrap_memchr(const void* text, int byte, size_t bytes) {
  const char* const found = __real_memchr(text, byte, bytes);
  const size_t passed = found != NULL ? (size_t)(found - (const char*)text) : bytes;
  HAL_CHARGE_WALK(memchr, text, NULL, NULL, passed);
  return (void*)found;
}

DECLARE(void*, memrchr, (const void* text, int byte, size_t bytes));
void* __wrap_memrchr(const void* text, int byte, size_t bytes) {
  const char* const found = __real_memrchr(text, byte, bytes);
  HAL_CHARGE(memrchr, found != NULL ? bytes - (size_t)(found - (const char*)text) : bytes);
  return (void*)found;
}

DECLARE(void*, rawmemchr, (const void* text, int byte));
void* __wrap_rawmemchr(const void* text, int byte) {
  const char* const found = __real_rawmemchr(text, byte);
  HAL_CHARGE(rawmemchr, (size_t)(found - (const char*)text));
  return (void*)found;
}

/* ---- lengths, copies ---- */
DECLARE(size_t, strlen, (const char* text));
size_t __wrap_strlen(const char* text) {
  const size_t length = __real_strlen(text);
  HAL_CHARGE(strlen, length);
  return length;
}

DECLARE(size_t, strnlen, (const char* text, size_t most));
size_t __wrap_strnlen(const char* text, size_t most) {
  const size_t length = __real_strnlen(text, most);
  HAL_CHARGE(strnlen, length);
  return length;
}

#define COPY(name, already)                           \
  DECLARE(char*, name, (char* to, const char* from)); \
  char* __wrap_##name(char* to, const char* from) {   \
    HAL_CHARGE(name, already + __real_strlen(from));  \
    return __real_##name(to, from);                   \
  }

COPY(strcpy, 0)
COPY(stpcpy, 0)
COPY(strcat, __real_strlen(to))

#define COPY_SOME(name, bytes)                                     \
  DECLARE(char*, name, (char* to, const char* from, size_t most)); \
  char* __wrap_##name(char* to, const char* from, size_t most) {   \
    HAL_CHARGE(name, bytes);                                       \
    return __real_##name(to, from, most);                          \
  }

COPY_SOME(strncpy, most)
COPY_SOME(stpncpy, most)
COPY_SOME(strncat, __real_strlen(to) + __real_strnlen(from, most))

/* ---- comparisons ---- */
static size_t same_text(const char* left, const char* right, size_t most, char without) {
  size_t i = 0;
  while (i < most && left[i] != '\0' && (left[i] | without) == (right[i] | without)) ++i;
  return i;
}
#define CASE 0x20 /* of ASCII */

#define COMPARE(name, without)                                   \
  DECLARE(int, name, (const char* left, const char* right));     \
  int __wrap_##name(const char* left, const char* right) {       \
    HAL_CHARGE(name, same_text(left, right, SIZE_MAX, without)); \
    return __real_##name(left, right);                           \
  }

#define COMPARE_SOME(name, without)                                       \
  DECLARE(int, name, (const char* left, const char* right, size_t most)); \
  int __wrap_##name(const char* left, const char* right, size_t most) {   \
    HAL_CHARGE(name, same_text(left, right, most, without));              \
    return __real_##name(left, right, most);                              \
  }

COMPARE(strcmp, 0)
COMPARE(strcasecmp, CASE)
COMPARE_SOME(strncmp, 0)
COMPARE_SOME(strncasecmp, CASE)

/* ---- searches ---- */
static size_t until(const char* found, const char* text) {
  return found != NULL ? (size_t)(found - text) : __real_strlen(text);
}

#define FIND(name, type, bytes)                          \
  DECLARE(char*, name, (const char* text, type wanted)); \
  char* __wrap_##name(const char* text, type wanted) {   \
    char* const found = __real_##name(text, wanted);     \
    HAL_CHARGE(name, bytes);                             \
    return found;                                        \
  }

FIND(strchr, int, until(found, text))
FIND(strchrnul, int, until(found, text))
FIND(strrchr, int, __real_strlen(text))
FIND(strstr, const char*, until(found, text))
FIND(strcasestr, const char*, until(found, text))
FIND(strpbrk, const char*, until(found, text))

#define SPAN(name)                                              \
  DECLARE(size_t, name, (const char* text, const char* these)); \
  size_t __wrap_##name(const char* text, const char* these) {   \
    const size_t bytes = __real_##name(text, these);            \
    HAL_CHARGE(name, bytes);                                    \
    return bytes;                                               \
  }

SPAN(strspn)
SPAN(strcspn)

DECLARE(char*, strtok_r, (char* text, const char* between, char** place));
char* __wrap_strtok_r(char* text, const char* between, char** place) {
  const char* const begin = text != NULL ? text : *place;
  char* const word = __real_strtok_r(text, between, place);
  HAL_CHARGE(strtok_r, begin != NULL && *place != NULL ? (size_t)(*place - begin) : 0);
  return word;
}

/* ---- characters ---- */
#define FIXED(result, name, parameters, ...) \
  DECLARE(result, name, parameters);         \
  result __wrap_##name parameters {          \
    HAL_CHARGE(name, 0);                     \
    return __real_##name(__VA_ARGS__);       \
  }

FIXED(int, toupper, (int character), character)
FIXED(int, tolower, (int character), character)
FIXED(const unsigned short**, __ctype_b_loc, (void))
FIXED(const int32_t**, __ctype_toupper_loc, (void))
FIXED(const int32_t**, __ctype_tolower_loc, (void))
