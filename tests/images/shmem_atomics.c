/* OpenSHMEM, atomic operations: what each returns and leaves, for every type; all processes at one word. */
#include "tests/images/shmem_expect.h"

static int me, all;

/* Each process at its own element of the next one's array, so the values are known. */
#define TYPE(name, type)                                                                               \
  static void test_##name(int pe) {                                                                    \
    static type words[128];                                                                            \
    type* word = &words[me];                                                                           \
    shmem_##name##_atomic_set(word, (type)40, pe);                                                     \
    EXPECT(shmem_##name##_atomic_fetch(word, pe) == (type)40);                                         \
    EXPECT(shmem_##name##_atomic_swap(word, (type)-3, pe) == (type)40);                                \
    EXPECT(shmem_##name##_atomic_compare_swap(word, (type)4, (type)9, pe) == (type)-3);                \
    EXPECT(shmem_##name##_atomic_compare_swap(word, (type)-3, (type)9, pe) == (type)-3);               \
    EXPECT(shmem_##name##_atomic_fetch_add(word, (type)-11, pe) == (type)9);                           \
    shmem_##name##_atomic_add(word, (type)5, pe);                                                      \
    EXPECT(shmem_##name##_atomic_fetch_inc(word, pe) == (type)3);                                      \
    shmem_##name##_atomic_inc(word, pe);                                                               \
    EXPECT(shmem_##name##_atomic_fetch(word, pe) == (type)5);                                          \
    shmem_barrier_all();                                                                               \
    for (int i = 0; i <= all; ++i) EXPECT(words[i] == (type)((i + 1) % all == me && i < all ? 5 : 0)); \
    shmem_barrier_all();                                                                               \
  }
SHMEM_EACH_ATOMIC(TYPE)

#define BITWISE(name, type)                                                \
  static void bits_##name(int pe) {                                        \
    static type words[128];                                                \
    type* word = &words[me];                                               \
    shmem_##name##_atomic_set(word, (type)0x5a, pe);                       \
    EXPECT(shmem_##name##_atomic_fetch_and(word, (type)0x1e, pe) == 0x5a); \
    EXPECT(shmem_##name##_atomic_fetch_or(word, (type)0x41, pe) == 0x1a);  \
    EXPECT(shmem_##name##_atomic_fetch_xor(word, (type)0xff, pe) == 0x5b); \
    shmem_##name##_atomic_and(word, (type)~0x20, pe);                      \
    shmem_##name##_atomic_or(word, (type)0x02, pe);                        \
    shmem_##name##_atomic_xor(word, (type)0x01, pe);                       \
    EXPECT(shmem_##name##_atomic_fetch(word, pe) == 0x87);                 \
    shmem_barrier_all();                                                   \
  }
SHMEM_EACH_BITWISE(BITWISE)

#define FLOATING(name, type)                                                \
  static void floating_##name(int pe) {                                     \
    static type words[128];                                                 \
    type* word = &words[me];                                                \
    shmem_##name##_atomic_set(word, (type)-1.5, pe);                        \
    EXPECT(shmem_##name##_atomic_swap(word, (type)2.25, pe) == (type)-1.5); \
    EXPECT(shmem_##name##_atomic_fetch(word, pe) == (type)2.25);            \
    shmem_barrier_all();                                                    \
    EXPECT(words[(me + all - 1) % all] == (type)2.25);                      \
  }
SHMEM_EACH_FLOATING(FLOATING)

/* All at once at one word on each process in turn, with operations of every kind that add up. */
static void contended(int home) {
  enum { TIMES = 12, MOST = 1024 };
  static int count;
  static long sum;
  static unsigned long bits;
  static int taken[MOST * TIMES];
  count = 0;
  sum = 0;
  bits = 0;
  memset(taken, 0, sizeof taken);
  shmem_barrier_all();
  for (int i = 0; i < TIMES; ++i) {
    const int ticket = shmem_int_atomic_fetch_inc(&count, home); /* no other PE gets the same */
    shmem_int_atomic_inc(&taken[ticket], home);
    shmem_long_atomic_add(&sum, me + 1L, home);
    long seen = shmem_long_atomic_fetch(&sum, home);
    for (long before; (before = shmem_long_atomic_compare_swap(&sum, seen, seen + 1000, home)) != seen;) seen = before;
  }
  shmem_ulong_atomic_or(&bits, 1ul << me % 64, home);
  shmem_barrier_all();
  if (me == home) {
    EXPECT(count == all * TIMES);
    for (int i = 0; i < all * TIMES; ++i) EXPECT(taken[i] == 1);
    EXPECT(sum == (long)TIMES * (all * (all + 1L) / 2 + 1000L * all));
    EXPECT(bits == (all >= 64 ? ~0ul : (1ul << all) - 1));
  }
  shmem_barrier_all();
}

/* Swaps hand around values; none is lost and none is there twice. */
static void swaps(void) {
  static long cell, sum, held;
  held = shmem_long_atomic_swap(&cell, me + 1L, 0);
  shmem_long_atomic_add(&sum, held, 0);
  shmem_barrier_all();
  if (me == 0) EXPECT(sum + cell == all * (all + 1L) / 2);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  const int next = (me + 1) % all;
#define RUN(name, type) test_##name(next);
#define RUN_BITS(name, type) bits_##name(next);
#define RUN_FLOATING(name, type) floating_##name(next);
  SHMEM_EACH_ATOMIC(RUN)
  SHMEM_EACH_BITWISE(RUN_BITS)
  SHMEM_EACH_FLOATING(RUN_FLOATING)
  contended(0);
  contended(all - 1);
  swaps();
  return finish();
}
