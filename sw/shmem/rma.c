/* Remote memory access, order, barrier. */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"
#include "sw/transport/transport.h"

#define INSTRUCTIONS_CALL 50 /* (A) */

static void start(int put, const char* call, void* dest, const void* source, size_t bytes, int pe) {
  hal_instructions(INSTRUCTIONS_CALL);
  shmem_check(call, pe);
  if (bytes == 0) return;
  if (put)
    transport_put((unsigned)pe, shmem_remote(call, dest, bytes), source, bytes);
  else
    transport_get((unsigned)pe, shmem_remote(call, source, bytes), dest, bytes);
}

void shmem_putmem_nbi(void* dest, const void* source, size_t bytes, int pe) {
  start(1, "shmem_putmem_nbi", dest, source, bytes, pe);
}

void shmem_getmem_nbi(void* dest, const void* source, size_t bytes, int pe) {
  start(0, "shmem_getmem_nbi", dest, source, bytes, pe);
}

/* The card tells of the end of a put when the bytes are in place, so the source is free only then. */
void shmem_putmem(void* dest, const void* source, size_t bytes, int pe) {
  start(1, "shmem_putmem", dest, source, bytes, pe);
  transport_quiet();
}

void shmem_getmem(void* dest, const void* source, size_t bytes, int pe) {
  start(0, "shmem_getmem", dest, source, bytes, pe);
  transport_quiet();
}

void shmem_fence(void) { transport_quiet(); }

void shmem_quiet(void) { transport_quiet(); }

void shmem_barrier_all(void) {
  shmem_check("shmem_barrier_all", 0);
  transport_quiet();
  transport_barrier();
}

/* ---- typed ---- */
#define HOLDS(now, comparison, value)                \
  ((comparison) == SHMEM_CMP_EQ   ? (now) == (value) \
   : (comparison) == SHMEM_CMP_NE ? (now) != (value) \
   : (comparison) == SHMEM_CMP_GT ? (now) > (value)  \
   : (comparison) == SHMEM_CMP_GE ? (now) >= (value) \
   : (comparison) == SHMEM_CMP_LT ? (now) < (value)  \
                                  : (now) <= (value))

/* A word is watched; where a value has two, both are. */
#define TYPED(name, type)                                                                                            \
  void shmem_##name##_put(type* dest, const type* source, size_t count, int pe) {                                    \
    shmem_putmem(dest, source, count * sizeof *dest, pe);                                                            \
  }                                                                                                                  \
  void shmem_##name##_get(type* dest, const type* source, size_t count, int pe) {                                    \
    shmem_getmem(dest, source, count * sizeof *dest, pe);                                                            \
  }                                                                                                                  \
  void shmem_##name##_p(type* dest, type value, int pe) { shmem_putmem(dest, &value, sizeof value, pe); }            \
  type shmem_##name##_g(const type* source, int pe) {                                                                \
    type value;                                                                                                      \
    shmem_getmem(&value, source, sizeof value, pe);                                                                  \
    return value;                                                                                                    \
  }                                                                                                                  \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value) {                               \
    for (;;) {                                                                                                       \
      const type now = *pointer;                                                                                     \
      if (HOLDS(now, comparison, value)) return;                                                                     \
      uint32_t words[sizeof now / sizeof(uint32_t)];                                                                 \
      memcpy(words, &now, sizeof now);                                                                               \
      const volatile uint32_t* watched[sizeof now / sizeof(uint32_t)];                                               \
      for (size_t i = 0; i < sizeof now / sizeof(uint32_t); ++i) watched[i] = (const volatile uint32_t*)pointer + i; \
      hal_wait_words(watched, words, (int)(sizeof now / sizeof(uint32_t)), UINT64_MAX);                              \
    }                                                                                                                \
  }
TYPED(int, int)
TYPED(long, long)
TYPED(float, float)
TYPED(double, double)
