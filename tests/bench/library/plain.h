/* The C library's loops as C: eight bytes at a time where memory is copied, set or compared, byte by byte in texts.
 * The modelled CPUs had no vector instructions for these loops. Only code of functions plain_* is counted. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLAIN __attribute__((noipa, optimize("O2", "no-tree-vectorize", "no-tree-loop-distribute-patterns"))) static

typedef uint64_t __attribute__((may_alias)) word;

PLAIN void* plain_memcpy(void* to, const void* from, size_t bytes) {
  word* t = to;
  const word* f = from;
  for (; bytes >= 32; bytes -= 32, t += 4, f += 4) {
    const word a = f[0], b = f[1], c = f[2], d = f[3];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    t[3] = d;
  }
  for (; bytes >= 8; bytes -= 8) *t++ = *f++;
  for (size_t i = 0; i < bytes; ++i) ((char*)t)[i] = ((const char*)f)[i];
  return to;
}

PLAIN void* plain_memset(void* to, int byte, size_t bytes) {
  word* t = to;
  const word value = (unsigned char)byte * 0x0101010101010101u;
  for (; bytes >= 32; bytes -= 32, t += 4) t[0] = t[1] = t[2] = t[3] = value;
  for (; bytes >= 8; bytes -= 8) *t++ = value;
  for (size_t i = 0; i < bytes; ++i) ((char*)t)[i] = (char)byte;
  return to;
}

PLAIN int plain_memcmp(const void* left, const void* right, size_t bytes) {
  const word *l = left, *r = right;
  for (; bytes >= 8 && *l == *r; bytes -= 8) ++l, ++r;
  const unsigned char *a = (const unsigned char*)l, *b = (const unsigned char*)r;
  for (size_t i = 0; i < bytes; ++i)
    if (a[i] != b[i]) return a[i] - b[i];
  return 0;
}

PLAIN const char* plain_memchr(const char* text, int byte, size_t bytes) {
  for (; bytes > 0; --bytes, ++text)
    if (*text == (char)byte) return text;
  return NULL;
}

PLAIN size_t plain_strlen(const char* text) {
  const char* end = text;
  while (*end != '\0') ++end;
  return (size_t)(end - text);
}

PLAIN char* plain_strcpy(char* to, const char* from) {
  char* at = to;
  while ((*at++ = *from++) != '\0') continue;
  return to;
}

PLAIN char* plain_strncpy(char* to, const char* from, size_t bytes) {
  size_t i = 0;
  for (; i < bytes && from[i] != '\0'; ++i) to[i] = from[i];
  for (; i < bytes; ++i) to[i] = '\0';
  return to;
}

PLAIN int plain_strcmp(const char* left, const char* right) {
  for (; *left != '\0' && *left == *right; ++left) ++right;
  return (unsigned char)*left - (unsigned char)*right;
}

PLAIN int plain_strncmp(const char* left, const char* right, size_t bytes) {
  for (; bytes > 0 && *left != '\0' && *left == *right; ++left, --bytes) ++right;
  return bytes == 0 ? 0 : (unsigned char)*left - (unsigned char)*right;
}

static unsigned char lower_case[256];

PLAIN int plain_strcasecmp(const char* left, const char* right) {
  const unsigned char *l = (const unsigned char*)left, *r = (const unsigned char*)right;
  for (; *l != '\0' && lower_case[*l] == lower_case[*r]; ++l) ++r;
  return lower_case[*l] - lower_case[*r];
}

PLAIN const char* plain_strchr(const char* text, int byte) {
  for (; *text != (char)byte; ++text)
    if (*text == '\0') return NULL;
  return text;
}

PLAIN const char* plain_strrchr(const char* text, int byte) {
  const char* last = NULL;
  for (; *text != '\0'; ++text)
    if (*text == (char)byte) last = text;
  return last;
}

PLAIN size_t plain_strspn(const char* text, const char* these) {
  unsigned char table[256];
  plain_memset(table, 0, sizeof table);
  for (; *these != '\0'; ++these) table[(unsigned char)*these] = 1;
  size_t i = 0;
  while (table[(unsigned char)text[i]]) ++i;
  return i;
}

PLAIN const char* plain_strstr(const char* text, const char* part) {
  for (; *text != '\0'; ++text) {
    size_t i = 0;
    while (part[i] != '\0' && text[i] == part[i]) ++i;
    if (part[i] == '\0') return text;
  }
  return NULL;
}

PLAIN const void* plain_bsearch(const void* key, const void* base, size_t count, size_t bytes,
                                int (*compare)(const void*, const void*)) {
  const char* first = base;
  while (count > 0) {
    const char* middle = first + count / 2 * bytes;
    const int order = compare(key, middle);
    if (order == 0) return middle;
    if (order > 0) {
      first = middle + bytes;
      --count;
    }
    count /= 2;
  }
  return NULL;
}

static uint64_t random_state = 1;
static double plain_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(random_state >> 11);
}
