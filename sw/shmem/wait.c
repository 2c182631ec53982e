/* Waiting for a variable of own memory, or testing it. */
#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"

struct seen shmem_look(const volatile void* pointer, size_t bytes) {
  struct seen seen = {.count = 0};
  const uintptr_t end = (uintptr_t)pointer + bytes;
  for (uintptr_t at = (uintptr_t)pointer & ~(uintptr_t)3; at < end; at += sizeof(uint32_t), ++seen.count) {
    seen.words[seen.count] = (const volatile uint32_t*)at;
    seen.values[seen.count] = *seen.words[seen.count];
  }
  return seen;
}

void shmem_pass_time(const char* call) {
  shmem_check_running(call);
  hal_time_ps();
  transport_look();
}

void shmem_check_comparison(const char* call, int comparison) {
  if (comparison < SHMEM_CMP_EQ || comparison > SHMEM_CMP_LE)
    shmem_fail(call, "unknown comparison; pass SHMEM_CMP_EQ, NE, GT, GE, LT or LE");
}

/* The words are read before the comparison: a store between the two ends the sleep at once. */
#define WAIT_UNTIL(type, call, pointer, comparison, value)             \
  do {                                                                 \
    shmem_check_comparison(call, comparison);                          \
    for (;;) {                                                         \
      const struct seen seen = shmem_look(pointer, sizeof *(pointer)); \
      const type now = *(pointer);                                     \
      if (SHMEM_HOLDS(now, comparison, value)) return;                 \
      transport_wait_words(seen.words, seen.values, seen.count);       \
    }                                                                  \
  } while (0)

#define WAITED(name, type)                                                             \
  void shmem_##name##_wait_until(volatile type* pointer, int comparison, type value) { \
    shmem_pass_time("shmem_" #name "_wait_until");                                     \
    WAIT_UNTIL(type, "shmem_" #name "_wait_until", pointer, comparison, value);        \
  }                                                                                    \
  int shmem_##name##_test(volatile type* pointer, int comparison, type value) {        \
    shmem_check_comparison("shmem_" #name "_test", comparison);                        \
    shmem_pass_time("shmem_" #name "_test");                                           \
    const type now = *pointer;                                                         \
    return SHMEM_HOLDS(now, comparison, value);                                        \
  }
SHMEM_EACH_WAITED(WAITED)

void shmem_wait_until(volatile long* pointer, int comparison, long value) {
  shmem_long_wait_until(pointer, comparison, value);
}

void shmem_wait(volatile long* pointer, long value) { shmem_long_wait_until(pointer, SHMEM_CMP_NE, value); }

/* ---- signals: updates are atomic operations on the word ---- */
uint64_t shmem_signal_fetch(const uint64_t* sig_addr) {
  shmem_pass_time("shmem_signal_fetch");
  symmetric_check_source("shmem_signal_fetch", sig_addr, sizeof *sig_addr);
  return *(const volatile uint64_t*)sig_addr;
}

uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int comparison, uint64_t value) {
  const char* call = "shmem_signal_wait_until";
  shmem_pass_time(call);
  symmetric_check_source(call, sig_addr, sizeof *sig_addr);
  shmem_check_comparison(call, comparison);
  for (;;) {
    const volatile uint64_t* signal = sig_addr;
    const struct seen seen = shmem_look(signal, sizeof *signal);
    const uint64_t now = *signal;
    if (SHMEM_HOLDS(now, comparison, value)) return now;
    transport_wait_words(seen.words, seen.values, seen.count);
  }
}
