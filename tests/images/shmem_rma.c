/* OpenSHMEM, put and get: every call of every type, to every neighbour and to itself, from heap, globals, statics and
 * the stack; what lies before and behind is left alone. */
#include "tests/images/shmem_expect.h"

enum { MOST = 48, GUARD = 0xa5, LARGE = 70001 };

static int me, all;
static unsigned char statics[MOST * 16 + 64];
unsigned char globals[300000]; /* many pages, zeroed */

/* Where others write: begins GUARD bytes into a symmetric piece. */
static unsigned char* room(size_t bytes) {
  static unsigned char* heap;
  if (!heap) heap = shmem_malloc(LARGE + 64);
  memset(heap, GUARD, bytes + 32);
  return heap + 16;
}

static int guarded(const unsigned char* at, size_t bytes) {
  return others(at - 16, 16, GUARD) == 0 && others(at + bytes, 16, GUARD) == 0;
}

/* Each PE puts to the one `step` further on, and gets from it. */
static void sizes(int step) {
  static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 319, 320, 321, 4095, 4096, 4097, LARGE};
  const int to = (me + step) % all, from = (me + all - step % all) % all;
  unsigned char* source = malloc(LARGE);
  unsigned char* got = malloc(LARGE + 1);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    const size_t bytes = counts[i];
    unsigned char* dest = room(bytes);
    fill(source, bytes, me);
    shmem_barrier_all();
    shmem_putmem(dest, source, bytes, to);
    memset(source, 0, bytes); /* it is the caller's again */
    shmem_barrier_all();
    EXPECT(wrong(dest, bytes, from, 0) == 0);
    EXPECT(guarded(dest, bytes));
    memset(got, GUARD, LARGE + 1);
    shmem_getmem(got, dest, bytes, to);
    EXPECT(wrong(got, bytes, me, 0) == 0);
    EXPECT(got[bytes] == GUARD);
    memset(got, GUARD, LARGE + 1);
    shmem_getmem_nbi(got, dest, bytes, to);
    shmem_quiet();
    EXPECT(wrong(got, bytes, me, 0) == 0);
    shmem_barrier_all();
  }
  free(source);
  free(got);
}

/* Everything of one type: contiguous, single, strided. */
#define TYPE(name, type)                                                            \
  static void test_##name(int to, int from) {                                       \
    enum { N = 6, D = 3, S = 2 };                                                   \
    type mine[N * S], got[N * D];                                                   \
    type* dest = (type*)room(N * D * sizeof(type));                                 \
    fill(mine, sizeof mine, me);                                                    \
    shmem_barrier_all();                                                            \
    shmem_##name##_put(dest, mine, N, to);                                          \
    shmem_barrier_all();                                                            \
    EXPECT(wrong(dest, N * sizeof(type), from, 0) == 0);                            \
    EXPECT(others(dest + N, (N * D - N) * sizeof(type), GUARD) == 0);               \
    shmem_##name##_get(got, dest, N, to);                                           \
    EXPECT(memcmp(got, mine, N * sizeof(type)) == 0);                               \
    shmem_barrier_all();                                                            \
    shmem_##name##_put_nbi(dest + 1, mine, N, to);                                  \
    shmem_barrier_all();                                                            \
    EXPECT(wrong(dest + 1, N * sizeof(type), from, 0) == 0);                        \
    shmem_##name##_get_nbi(got, dest + 1, N, to);                                   \
    shmem_quiet();                                                                  \
    EXPECT(memcmp(got, mine, N * sizeof(type)) == 0);                               \
    shmem_barrier_all();                                                            \
    memset(dest, GUARD, N* D * sizeof(type));                                       \
    shmem_barrier_all();                                                            \
    shmem_##name##_iput(dest, mine, D, S, N, to);                                   \
    shmem_barrier_all();                                                            \
    for (size_t i = 0; i < (N - 1) * D + 1; ++i) {                                  \
      if (i % D == 0)                                                               \
        EXPECT(wrong(dest + i, sizeof(type), from, i / D * S * sizeof(type)) == 0); \
      else                                                                          \
        EXPECT(others(dest + i, sizeof(type), GUARD) == 0);                         \
    }                                                                               \
    EXPECT(others(dest + (N - 1) * D + 1, (D - 1) * sizeof(type), GUARD) == 0);     \
    memset(got, GUARD, sizeof got);                                                 \
    shmem_##name##_iget(got, dest, S, D, N, to);                                    \
    for (size_t i = 0; i < (N - 1) * S + 1; ++i) {                                  \
      if (i % S == 0)                                                               \
        EXPECT(memcmp(got + i, mine + i, sizeof(type)) == 0);                       \
      else                                                                          \
        EXPECT(others(got + i, sizeof(type), GUARD) == 0);                          \
    }                                                                               \
    shmem_barrier_all();                                                            \
    shmem_##name##_p(dest + 1, (type)(me + 5), to);                                 \
    shmem_barrier_all();                                                            \
    EXPECT(dest[1] == (type)(from + 5));                                            \
    EXPECT(shmem_##name##_g(dest + 1, to) == (type)(me + 5));                       \
    EXPECT(others(dest + 2, sizeof(type), GUARD) == 0);                             \
    EXPECT(guarded((unsigned char*)dest, N* D * sizeof(type)));                     \
    shmem_barrier_all();                                                            \
  }
SHMEM_EACH_MOVED(TYPE)

#define SIZE(bits, bytes)                                     \
  static void test_##bits(int to, int from) {                 \
    enum { N = 5, B = bytes };                                \
    unsigned char mine[2 * N * B], got[2 * N * B];            \
    unsigned char* dest = room(2 * N * B);                    \
    fill(mine, sizeof mine, me);                              \
    shmem_barrier_all();                                      \
    shmem_put##bits(dest, mine, N, to);                       \
    shmem_put##bits##_nbi(dest + N * B, mine + N * B, N, to); \
    shmem_barrier_all();                                      \
    EXPECT(wrong(dest, 2 * N * B, from, 0) == 0);             \
    shmem_get##bits##_nbi(got, dest, N, to);                  \
    shmem_get##bits(got + N * B, dest + N * B, N, to);        \
    shmem_quiet();                                            \
    EXPECT(memcmp(got, mine, sizeof got) == 0);               \
    shmem_barrier_all();                                      \
    memset(dest, GUARD, 2 * N * B);                           \
    shmem_barrier_all();                                      \
    shmem_iput##bits(dest, mine, 2, 1, N, to);                \
    shmem_barrier_all();                                      \
    for (size_t i = 0; i < N; ++i) {                          \
      EXPECT(wrong(dest + 2 * i * B, B, from, i * B) == 0);   \
      EXPECT(others(dest + (2 * i + 1) * B, B, GUARD) == 0);  \
    }                                                         \
    memset(got, 0, sizeof got);                               \
    shmem_iget##bits(got, dest, 1, 2, N, to);                 \
    EXPECT(memcmp(got, mine, N* B) == 0);                     \
    shmem_barrier_all();                                      \
  }
SHMEM_EACH_SIZE(SIZE)

/* Memory that no call has allotted, also where its owner has never touched it. */
static void program_memory(int to, int from) {
  static long counter;
  static short initialised[3] = {1, 2, 3};
  unsigned char mine[100];
  fill(mine, sizeof mine, me);
  shmem_putmem(statics + 7, mine, sizeof mine, to);
  shmem_putmem(globals + sizeof globals - sizeof mine, mine, sizeof mine, to);
  shmem_long_p(&counter, me + 1L, to);
  shmem_short_p(&initialised[1], (short)(me + 100), to);
  shmem_barrier_all();
  EXPECT(wrong(statics + 7, sizeof mine, from, 0) == 0 && others(statics, 7, 0) == 0);
  EXPECT(wrong(globals + sizeof globals - sizeof mine, sizeof mine, from, 0) == 0);
  EXPECT(counter == from + 1);
  EXPECT(initialised[0] == 1 && initialised[1] == from + 100 && initialised[2] == 3);
}

/* More at once than the transport keeps track of; to all PEs. */
static void many_at_once(void) {
  enum { EACH = 100 };
  int* table = shmem_calloc((size_t)all * EACH, sizeof *table);
  static int values[EACH];
  for (int i = 0; i < EACH; ++i) values[i] = me * 1000 + i;
  for (int i = 0; i < EACH; ++i)
    for (int pe = 0; pe < all; ++pe) shmem_int_put_nbi(&table[me * EACH + i], &values[i], 1, pe);
  shmem_barrier_all();
  for (int i = 0; i < all * EACH; ++i) EXPECT(table[i] == i / EACH * 1000 + i % EACH);
  shmem_free(table);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  all = shmem_n_pes();
  const int to = (me + 1) % all, from = (me + all - 1) % all;
  for (int step = 0; step < 3 && step <= all; ++step) sizes(step);
#define RUN(name, type) test_##name(to, from);
  SHMEM_EACH_MOVED(RUN)
  SHMEM_EACH_SIZE(RUN)
  program_memory(to, from);
  many_at_once();
  return finish();
}
