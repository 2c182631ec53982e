/* Fence, quiet, waiting for memory. A put completes when its bytes are in place, so a fence is a quiet. */
#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

void shmem_quiet(void) {
  shmem_check_running("shmem_quiet");
  transport_quiet();
}

void shmem_fence(void) {
  shmem_check_running("shmem_fence");
  transport_quiet();
}

#define WORDS_MOST 3u /* that 8 bytes can span */

/* The words that contain a variable, with the values that were read. */
struct seen {
  const volatile uint32_t* words[WORDS_MOST];
  uint32_t values[WORDS_MOST];
  unsigned count;
};

static struct seen look(const volatile void* pointer, size_t bytes) {
  struct seen seen = {.count = 0};
  const uintptr_t end = (uintptr_t)pointer + bytes;
  for (uintptr_t at = (uintptr_t)pointer & ~(uintptr_t)3; at < end; at += sizeof(uint32_t), ++seen.count) {
    seen.words[seen.count] = (const volatile uint32_t*)at;
    seen.values[seen.count] = *seen.words[seen.count];
  }
  return seen;
}

/* Lets time pass for a program that polls. */
static void pass_time(const char* call) {
  shmem_check_running(call);
  hal_time_ps();
  transport_look();
}

static void check_comparison(const char* call, int comparison) {
  if (comparison < SHMEM_CMP_EQ || comparison > SHMEM_CMP_LE)
    shmem_fail(call, "the comparison is none; pass SHMEM_CMP_EQ, NE, GT, GE, LT or LE");
}

#define HOLDS(now, comparison, value)                \
  ((comparison) == SHMEM_CMP_EQ   ? (now) == (value) \
   : (comparison) == SHMEM_CMP_NE ? (now) != (value) \
   : (comparison) == SHMEM_CMP_GT ? (now) > (value)  \
   : (comparison) == SHMEM_CMP_GE ? (now) >= (value) \
   : (comparison) == SHMEM_CMP_LT ? (now) < (value)  \
                                  : (now) <= (value))

/* The words are read before the comparison: a store between the two ends the sleep at once. */
#define WAIT_UNTIL(type, call, pointer, comparison, value)       \
  do {                                                           \
    check_comparison(call, comparison);                          \
    for (;;) {                                                   \
      const struct seen seen = look(pointer, sizeof *(pointer)); \
      const type now = *(pointer);                               \
      if (HOLDS(now, comparison, value)) return;                 \
      transport_wait_words(seen.words, seen.values, seen.count); \
    }                                                            \
  } while (0)

#define WAITED(name, type)                                                             \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value) { \
    pass_time("shmem_" #name "_wait_until");                                           \
    WAIT_UNTIL(type, "shmem_" #name "_wait_until", pointer, comparison, value);        \
  }                                                                                    \
  int shmem_##name##_test(volatile type* pointer, int comparison, type value) {        \
    check_comparison("shmem_" #name "_test", comparison);                              \
    pass_time("shmem_" #name "_test");                                                 \
    const type now = *pointer;                                                         \
    return HOLDS(now, comparison, value);                                              \
  }
SHMEM_EACH_WAITED(WAITED)

void shmem_wait_until(volatile long* pointer, int comparison, long value) {
  shmem_long_wait_until(pointer, comparison, value);
}

void shmem_wait(volatile long* pointer, long value) { shmem_long_wait_until(pointer, SHMEM_CMP_NE, value); }
