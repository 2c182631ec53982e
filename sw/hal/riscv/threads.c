#include "sw/hal/riscv/threads.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/heap.h"

static int serves_threads;
/* Threads enter in the order in which they ask: otherwise one that tests in a loop would enter again before a woken one
 * runs, and so for ever. */
static uint32_t asked, served; /* tickets taken; the ticket of the thread that is inside, or may enter */
static __thread unsigned depth;
static volatile uint32_t told; /* how often others were told of changes; watched by those that wait */
static int must_tell;          /* before others come in */

static uint32_t bit_of(uint32_t ticket) { return UINT32_C(1) << ticket % 32; }

static void come_in(void) {
  const uint32_t ticket = __atomic_fetch_add(&asked, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    const uint32_t now = __atomic_load_n(&served, __ATOMIC_SEQ_CST);
    if (now == ticket) return;
    syscall(SYS_futex, &served, FUTEX_WAIT_BITSET_PRIVATE, now, NULL, NULL, bit_of(ticket));
  }
}

/* Enters unless it would have to wait. */
static int come_in_at_once(void) {
  uint32_t ticket = __atomic_load_n(&served, __ATOMIC_ACQUIRE);
  return __atomic_compare_exchange_n(&asked, &ticket, ticket + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void go_out(void) {
  const uint32_t next = served + 1;
  __atomic_store_n(&served, next, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&asked, __ATOMIC_SEQ_CST) == next) return; /* no thread waits */
  syscall(SYS_futex, &served, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, bit_of(next));
}

int hal_serve_threads(void) {
  serves_threads = 1;
  hal_riscv_keep_stacks();
  return 1;
}

int hal_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

void hal_threads_enter(void) {
  if (!serves_threads || depth++ > 0) return;
  come_in();
}

int hal_threads_try_enter(void) {
  if (!serves_threads) return 1;
  if (depth == 0 && !come_in_at_once()) return 0;
  ++depth;
  return 1;
}

static void tell_others(void) {
  must_tell = 0;
  ++told;
  hal_stored(&told, sizeof told);
}

void hal_threads_tell(void) {
  if (serves_threads && depth > 0) must_tell = 1;
}

void hal_threads_leave(void) {
  if (!serves_threads || depth == 0 || --depth > 0) return; /* 0: it began before threads were served */
  tell_others();
  go_out();
}

/* ---- what libraries say of their state ---- */
#define STATES_MOST 8
static struct {
  const int* word;
  int value;
} alone[STATES_MOST];
static struct {
  void* memory;
  size_t bytes;
} own[STATES_MOST];
static unsigned alone_count, own_count;
#define OWN_BYTES_MOST 64
static size_t own_bytes;

void hal_threads_alone_while(const int* word, int value) {
  if (alone_count == STATES_MOST) hal_abort("hal_threads_alone_while: there is no room for more words");
  alone[alone_count].word = word;
  alone[alone_count++].value = value;
}

void hal_threads_own(void* memory, size_t bytes) {
  own_bytes += bytes;
  if (own_count == STATES_MOST || own_bytes > OWN_BYTES_MOST)
    hal_abort("hal_threads_own: there is no room for more memory");
  own[own_count].memory = memory;
  own[own_count++].bytes = bytes;
}

static int lets_others_in(void) {
  if (!serves_threads || depth == 0) return 0;
  for (unsigned i = 0; i < alone_count; ++i)
    if (*alone[i].word == alone[i].value) return 0;
  return 1;
}

/* Puts the thread's own contents into `to`, and zeros in their place. */
static void leave_own(char* to) {
  for (unsigned i = 0; i < own_count; to += own[i++].bytes) {
    memcpy(to, own[i].memory, own[i].bytes);
    memset(own[i].memory, 0, own[i].bytes);
  }
}
static void take_own(const char* from) {
  for (unsigned i = 0; i < own_count; from += own[i++].bytes) memcpy(own[i].memory, from, own[i].bytes);
}

/* ---- waiting ---- */
static int64_t wait_words(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps) {
  return hal_riscv_call(HAL_CALL_WAIT_WORDS, (uintptr_t)words, (uintptr_t)seen, (uint64_t)count, until_ps, 0, 0);
}

int64_t hal_threads_wait(const volatile uint32_t* const* words, const uint32_t* seen, int count, uint64_t until_ps) {
  if (!lets_others_in()) return wait_words(words, seen, count, until_ps);
  char kept[OWN_BYTES_MOST];
  const volatile uint32_t* all_words[count + 1];
  uint32_t all_seen[count + 1];
  memcpy(all_words, words, (size_t)count * sizeof *words);
  memcpy(all_seen, seen, (size_t)count * sizeof *seen);
  if (must_tell) tell_others();
  all_words[count] = &told;
  all_seen[count] = told;
  const unsigned before = depth;
  depth = 0;
  leave_own(kept);
  go_out();
  const int64_t result = wait_words(all_words, all_seen, count + 1, until_ps);
  come_in();
  take_own(kept);
  depth = before;
  return result;
}
