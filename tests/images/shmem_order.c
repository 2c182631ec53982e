/* OpenSHMEM: what fences, barriers and locks order, waiting and testing. "none": with barriers that do nothing, which
 * must be noticed; "lock": with a lock that does nothing. */
#include <time.h>

#include "sw/hal/hal.h"
#include "tests/images/shmem_expect.h"

enum { MOST = 1024 }; /* processes */

static int me, all;
static int no_barrier, no_lock;

static void meet(void) {
  if (!no_barrier) shmem_barrier_all();
}

static void pause_us(long us) {
  const struct timespec time = {.tv_sec = 0, .tv_nsec = us * 1000};
  nanosleep(&time, NULL);
}

/* Another PE is late in each round; no PE is a round ahead of or behind another. */
static void barriers(void) {
  static int rounds[MOST];
  for (int round = 1; round <= 2 * all; ++round) {
    if (round % all == me) pause_us(300);
    rounds[me] = round;
    for (int pe = 0; pe < all; ++pe) shmem_int_p(&rounds[me], round, pe);
    meet();
    for (int pe = 0; pe < all; ++pe) EXPECT(rounds[pe] == round);
    meet();
  }
}

/* A sync orders as a barrier does, and leaves puts under way to quiet. */
static void syncs(void) {
  static int came[64];
  static long sync_words[SHMEM_BARRIER_SYNC_SIZE];
  const int to = (me + 1) % all, from = (me + all - 1) % all;
  for (int round = 1; round <= 5; ++round) {
    if (round % all == me) pause_us(100);
    shmem_int_p(&came[me], round, to);
    shmem_quiet();
    if (round % 2)
      shmem_sync_all();
    else
      shmem_sync(0, 0, all, sync_words);
    EXPECT(came[from] == round);
    shmem_barrier(0, 0, all, sync_words);
  }
}

/* Data, a fence, a flag: a PE that sees the flag sees the data, in every round. */
static void fences(void) {
  enum { ROUNDS = 20, BYTES = 3000 };
  static unsigned char data[BYTES], mine[BYTES];
  static long flag, seen;
  const int to = (me + 1) % all, from = (me + all - 1) % all;
  for (int round = 1; round <= ROUNDS; ++round) {
    fill(mine, BYTES, me + round);
    shmem_putmem_nbi(data, mine, BYTES, to);
    shmem_fence();
    shmem_long_p(&flag, round, to);
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    EXPECT(wrong(data, BYTES, from + round, 0) == 0);
    shmem_long_p(&seen, round, from); /* so that the next round may write */
    shmem_long_wait_until(&seen, SHMEM_CMP_GE, round);
  }
}

/* A fence comes between a put and an atomic operation, too. */
static void fence_and_atomics(void) {
  static long data[64];
  static int arrived;
  const int to = (me + 1) % all, from = (me + all - 1) % all;
  for (int i = 1; i <= 20; ++i) {
    shmem_long_p(&data[from], i, to);
    shmem_fence();
    shmem_int_atomic_inc(&arrived, to);
    shmem_int_wait_until(&arrived, SHMEM_CMP_GE, i);
    EXPECT(data[(from + all - 1) % all] >= i);
  }
  shmem_barrier_all();
}

/* Each comparison of each type: waits, and finds with test. */
#define WAIT(name, type)                                                    \
  static void wait_##name(void) {                                           \
    static type word[2];                                                    \
    const int to = (me + 1) % all;                                          \
    word[0] = word[1] = (type)10;                                           \
    shmem_barrier_all();                                                    \
    pause_us(5);                                                            \
    shmem_##name##_p(&word[1], (type)12, to);                               \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_NE, (type)10);            \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_EQ, (type)12);            \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_GT, (type)11);            \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_GE, (type)12);            \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_LT, (type)13);            \
    shmem_##name##_wait_until(&word[1], SHMEM_CMP_LE, (type)12);            \
    EXPECT(!shmem_##name##_test(&word[0], SHMEM_CMP_NE, (type)10));         \
    EXPECT(shmem_##name##_test(&word[0], SHMEM_CMP_EQ, (type)10));          \
    EXPECT(!shmem_##name##_test(&word[0], SHMEM_CMP_GT, (type)10));         \
    EXPECT(shmem_##name##_test(&word[0], SHMEM_CMP_GE, (type)10));          \
    EXPECT(!shmem_##name##_test(&word[0], SHMEM_CMP_LT, (type)10));         \
    EXPECT(shmem_##name##_test(&word[0], SHMEM_CMP_LE, (type)10));          \
    shmem_barrier_all();                                                    \
    shmem_##name##_p(&word[0], (type)3, to);                                \
    while (!shmem_##name##_test(&word[0], SHMEM_CMP_EQ, (type)3)) continue; \
    EXPECT(word[1] == (type)12);                                            \
    shmem_barrier_all();                                                    \
  }
SHMEM_EACH_WAITED(WAIT)

/* Without the lock two would read the same count. */
static void locks(void) {
  enum { TIMES = 6 };
  static long lock, other;
  static int count, inside;
  for (int i = 0; i < TIMES; ++i) {
    if (!no_lock) shmem_set_lock(&lock);
    const int now = shmem_int_g(&count, all - 1);
    EXPECT(shmem_int_atomic_fetch_inc(&inside, 0) == 0);
    pause_us(3);
    shmem_int_p(&count, now + 1, all - 1);
    shmem_int_atomic_add(&inside, -1, 0);
    if (!no_lock) shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  if (me == all - 1) EXPECT(count == all * TIMES);
  /* Two locks at once, the second by trying. */
  static int tried;
  shmem_set_lock(&lock);
  while (shmem_test_lock(&other)) continue;
  shmem_int_p(&tried, shmem_int_g(&tried, 0) + 1, 0);
  shmem_clear_lock(&other);
  shmem_clear_lock(&lock);
  shmem_barrier_all();
  if (me == 0) EXPECT(tried == all);
  /* test_lock tells whether it is set; it is free again when it was cleared. */
  if (me == 0) shmem_set_lock(&other);
  shmem_barrier_all();
  if (me != 0) EXPECT(shmem_test_lock(&other) == 1);
  shmem_barrier_all();
  if (me == 0) shmem_clear_lock(&other);
  shmem_barrier_all();
  if (me == all - 1) EXPECT(shmem_test_lock(&other) == 0);
  if (me == all - 1) shmem_clear_lock(&other);
  shmem_barrier_all();
  EXPECT(lock == 0 && other == 0);
}

#define APART_US 1000 /* far more than the slowest network's barrier lets processes go one after another */

/* Lets others' atomic operations on words of this process be done meanwhile, where no card does them. */
static void pause_in_shmem(uint64_t us) {
  static int never;
  const uint64_t end = hal_time_ps() + us * 1000000u;
  while (hal_time_ps() < end) {
    pause_us(APART_US / 10);
    EXPECT(!shmem_int_test(&never, SHMEM_CMP_NE, 0));
  }
}

/* First come, first served: the PE that has set the lock keeps it until all others wait for it, in a known order. */
static void lock_order(void) {
  static long lock;
  static int order[MOST], next;
  if (me == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me == 0) {
    pause_in_shmem((uint64_t)APART_US * (all + 1));
    EXPECT(shmem_test_lock(&lock) == 1); /* which changes nothing for the PEs that wait */
  } else {
    pause_in_shmem((uint64_t)APART_US * me);
    shmem_set_lock(&lock);
  }
  shmem_int_p(&order[shmem_int_atomic_fetch_inc(&next, 0)], me, 0);
  shmem_clear_lock(&lock);
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < all; ++i) EXPECT(order[i] == i);
}

int main(int argc, char** argv) {
  no_barrier = argc > 1 && strcmp(argv[1], "none") == 0;
  no_lock = argc > 1 && strcmp(argv[1], "lock") == 0;
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  barriers();
  if (no_barrier) return finish();
  syncs();
  fences();
  fence_and_atomics();
#define RUN(name, type) wait_##name();
  SHMEM_EACH_WAITED(RUN)
  locks();
  lock_order();
  return finish();
}
