#include "sw/hal/riscv/threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/hal/riscv/call.h"
#include "sw/hal/riscv/heap.h"

static int serves_threads;
static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned asking, came_in; /* threads that want to be inside; how often one of these has got there */
static __thread unsigned depth;
static volatile uint32_t calls_ended; /* by any thread; watched by those that wait */

static void lock_inside(void) {
  if (pthread_mutex_trylock(&inside) == 0) return;
  __atomic_add_fetch(&asking, 1, __ATOMIC_RELAXED);
  pthread_mutex_lock(&inside);
  __atomic_sub_fetch(&asking, 1, __ATOMIC_RELAXED);
  ++came_in;
}

/* A thread that tests in a loop would be inside again before one that was woken runs, and for ever. So it lets one of
 * those go ahead; not for long, since they may have no CPU. */
static void unlock_inside(void) {
  enum { YIELDS_MOST = 64 };
  const unsigned before = came_in;
  pthread_mutex_unlock(&inside);
  for (int i = 0; i < YIELDS_MOST && asking > 0 && came_in == before; ++i) sched_yield();
}

int hal_serve_threads(void) {
  serves_threads = 1;
  hal_riscv_keep_stacks();
  return 1;
}

int hal_is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

void hal_threads_enter(void) {
  if (!serves_threads || depth++ > 0) return;
  lock_inside();
}

int hal_threads_try_enter(void) {
  if (!serves_threads) return 1;
  if (depth == 0 && pthread_mutex_trylock(&inside) != 0) return 0;
  ++depth;
  return 1;
}

static void tell_others(void) {
  ++calls_ended;
  hal_stored(&calls_ended, sizeof calls_ended);
}

void hal_threads_tell(void) {
  if (serves_threads && depth > 0) tell_others();
}

void hal_threads_leave(void) {
  if (!serves_threads || depth == 0 || --depth > 0) return; /* 0: it began before threads were served */
  tell_others();
  unlock_inside();
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
  all_words[count] = &calls_ended;
  all_seen[count] = calls_ended;
  const unsigned before = depth;
  depth = 0;
  leave_own(kept);
  pthread_mutex_unlock(&inside);
  const int64_t result = wait_words(all_words, all_seen, count + 1, until_ps);
  lock_inside();
  take_own(kept);
  depth = before;
  return result;
}
