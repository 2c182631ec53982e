/* Memory, text and numbers for clients: most are the C library's under GM's names. */
#include "sw/gm/gm_utilities.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sw/hal/hal.h"

void* gm_malloc(gm_size_t bytes) { return malloc(bytes); }
void* gm_calloc(gm_size_t bytes, gm_size_t count) { return calloc(count, bytes); }
void gm_free(void* memory) { free(memory); }

void* gm_alloc_pages(gm_size_t bytes) {
  return aligned_alloc(GM_PAGE_LEN, (bytes + GM_PAGE_LEN - 1) / GM_PAGE_LEN * GM_PAGE_LEN);
}
void gm_free_pages(void* pages, gm_size_t bytes) {
  (void)bytes;
  free(pages);
}
void* gm_page_alloc(void) { return gm_alloc_pages(GM_PAGE_LEN); }
void gm_page_free(void* page) { free(page); }

void gm_bcopy(const void* from, void* to, gm_size_t bytes) { memmove(to, from, bytes); }
void gm_bzero(void* memory, gm_size_t bytes) { memset(memory, 0, bytes); }
int gm_memcmp(const void* a, const void* b, gm_size_t bytes) { return memcmp(a, b, bytes); }
void* gm_memset(void* memory, int value, gm_size_t bytes) { return memset(memory, value, bytes); }

gm_size_t gm_strlen(const char* text) { return strlen(text); }
char* gm_strncpy(char* to, const char* from, int most) { return strncpy(to, from, (size_t)most); }
int gm_strcmp(const char* a, const char* b) { return strcmp(a, b); }
int gm_strncmp(const char* a, const char* b, int most) { return strncmp(a, b, (size_t)most); }
int gm_strncasecmp(const char* a, const char* b, int most) { return strncasecmp(a, b, (size_t)most); }
int gm_isprint(int character) { return isprint(character); }

char* gm_strdup(const char* text) {
  const size_t bytes = strlen(text) + 1;
  char* copy = malloc(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

int gm_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int printed = vprintf(format, arguments);
  va_end(arguments);
  return printed;
}

int gm_eprintf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int printed = vfprintf(stderr, format, arguments);
  va_end(arguments);
  return printed;
}

void gm_hex_dump(const void* memory, gm_size_t bytes) {
  const unsigned char* at = memory;
  for (gm_size_t i = 0; i < bytes; ++i) printf("%02x%c", at[i], i % 16 == 15 || i + 1 == bytes ? '\n' : ' ');
}

/* ---- numbers ---- */

unsigned long gm_log2_roundup(unsigned long number) {
  unsigned long power = 0;
  while (power < 63 && 1ul << power < number) ++power;
  return power;
}

unsigned long gm_crc(const void* memory, gm_size_t bytes) {
  enum { POLYNOMIAL = 0xedb88320 }; /* IEEE 802.3, the lowest bit first */
  uint32_t crc = UINT32_MAX;
  for (const unsigned char* at = memory; bytes > 0; --bytes, ++at) {
    crc ^= *at;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) ? (uint32_t)POLYNOMIAL : 0);
  }
  return ~crc;
}
unsigned long gm_crc_str(const char* text) { return gm_crc(text, strlen(text)); }

int gm_rand(void) { return rand(); }
void gm_srand(int seed) { srand((unsigned)seed); }
unsigned gm_rand_mod(unsigned modulus) { return (unsigned)rand() % modulus; }

/* ---- the process ---- */

gm_pid_t gm_getpid(void) { return (gm_pid_t)hal_rank() + 1; }

int gm_sleep(unsigned seconds) {
  hal_sleep_ps(seconds * HAL_PS_PER_S);
  return 0;
}

void gm_abort(void) { hal_abort("gm_abort: the program has ended itself"); }

void gm_assertion_failed(const char* condition, int line, const char* file) {
  char text[256];
  snprintf(text, sizeof text, "gm_always_assert: failed at %s:%d: %s", file, line, condition);
  hal_abort(text);
}

#define ON_EXIT_MOST 32 /* (A) */
static struct {
  gm_on_exit_callback_t callback;
  void* argument;
} on_exit_callbacks[ON_EXIT_MOST];
static int on_exit_count;

gm_status_t gm_on_exit(gm_on_exit_callback_t callback, void* argument) {
  if (on_exit_count == ON_EXIT_MOST) return GM_OUT_OF_MEMORY;
  on_exit_callbacks[on_exit_count].callback = callback;
  on_exit_callbacks[on_exit_count++].argument = argument;
  return GM_SUCCESS;
}

void gm_exit(gm_status_t status) {
  while (on_exit_count > 0) {
    --on_exit_count;
    on_exit_callbacks[on_exit_count].callback(status, on_exit_callbacks[on_exit_count].argument);
  }
  exit(status == GM_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE);
}
