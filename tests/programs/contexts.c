/* OpenSHMEM 1.4 in the style of unit tests: calls of C11 without a type, contexts, blocks from each to each with
 * strides, tests that do not wait, thread levels. */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 9 };
static int me, npes;

#define CHECK(good) \
  if (!(good)) fprintf(stderr, "PE %d, line %d: not so: %s\n", me, __LINE__, #good), shmem_global_exit(1)

/* ---- without a type, with and without a context ---- */
static int ints[N];
static double doubles[N];
static uint64_t words[N];
static signed char bytes[N];
static size_t index_of_it;
static ptrdiff_t distance;

#define GENERIC(array, type, ctx)                                                                 \
  do {                                                                                            \
    const int next = (me + 1) % npes, previous = (me + npes - 1) % npes;                          \
    type local[N];                                                                                \
    for (int i = 0; i < N; ++i) local[i] = (type)(me + i), array[i] = 0;                          \
    shmem_barrier_all();                                                                          \
    shmem_put(ctx, array, local, N - 1, next);                                                    \
    shmem_p(ctx, &array[N - 1], (type)(me + N - 1), next);                                        \
    shmem_ctx_quiet(ctx);                                                                         \
    shmem_barrier_all();                                                                          \
    for (int i = 0; i < N; ++i) CHECK(array[i] == (type)(previous + i));                          \
    shmem_get_nbi(ctx, local, array, N, next);                                                    \
    shmem_ctx_quiet(ctx);                                                                         \
    for (int i = 0; i < N; ++i) CHECK(local[i] == (type)(me + i));                                \
    CHECK(shmem_g(ctx, &array[2], next) == (type)(me + 2) && shmem_g(&array[3], me) == array[3]); \
    shmem_barrier_all();                                                                          \
    shmem_iput(array, local, 3, 1, N / 3, me);                                                    \
    shmem_iget(ctx, local, array, 1, 3, N / 3, me);                                               \
    CHECK(array[3] == (type)(me + 1) && local[2] == (type)(me + 2));                              \
    shmem_barrier_all();                                                                          \
  } while (0)

static void generics(shmem_ctx_t ctx) {
  GENERIC(ints, int, ctx);
  GENERIC(doubles, double, ctx);
  GENERIC(words, uint64_t, ctx);
  GENERIC(bytes, signed char, ctx);
  index_of_it = 0, distance = -5;
  shmem_barrier_all();
  shmem_atomic_inc(ctx, &index_of_it, 0);
  shmem_atomic_add(&distance, (ptrdiff_t)2, 0);
  shmem_barrier_all();
  CHECK(shmem_atomic_fetch(&index_of_it, 0) == (size_t)npes && shmem_atomic_fetch(ctx, &distance, 0) == 2 * npes - 5);
  words[0] = 0;
  shmem_barrier_all();
  shmem_atomic_or(ctx, &words[0], UINT64_C(1) << me, 0);
  shmem_barrier_all();
  CHECK(shmem_atomic_fetch_xor(&words[0], (uint64_t)0, 0) == (npes < 64 ? (UINT64_C(1) << npes) - 1 : UINT64_MAX));
  shmem_barrier_all();
  CHECK(me != 0 || shmem_atomic_fetch_and(&words[0], (uint64_t)1, 0) != 0);
  shmem_atomic_set(ctx, &doubles[0], 2.5 + me, me);
  CHECK(shmem_atomic_swap(&doubles[0], 1.0, me) == 2.5 + me && shmem_atomic_fetch(&doubles[0], me) == 1.0);
  ints[0] = 3;
  CHECK(shmem_atomic_compare_swap(ctx, &ints[0], 3, 4, me) == 3 && shmem_atomic_compare_swap(&ints[0], 3, 5, me) == 4);
  shmem_barrier_all();
}

/* ---- several contexts, each with separate puts in flight ---- */
static long from_each[4][64];

static void several(void) {
  const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE};
  shmem_ctx_t contexts[4];
  long value[4];
  for (int c = 0; c < 4; ++c) CHECK(shmem_ctx_create(options[c], &contexts[c]) == 0);
  for (int pe = 0; pe < npes; ++pe)
    for (int c = 0; c < 3; ++c) {
      value[c] = 100 * me + c;
      shmem_ctx_long_put_nbi(contexts[c], &from_each[c][me], &value[c], 1, pe);
      shmem_ctx_quiet(contexts[c]);
    }
  for (int c = 0; c < 4; ++c) shmem_ctx_fence(contexts[c]);
  shmem_barrier_all();
  for (int c = 0; c < 3; ++c)
    for (int pe = 0; pe < npes; ++pe) CHECK(from_each[c][pe] == 100 * pe + c);
  CHECK(shmem_ctx_long_g(contexts[1], &from_each[1][me], (me + 1) % npes) == 100 * me + 1);
  generics(contexts[0]);
  for (int c = 0; c < 4; ++c) shmem_ctx_destroy(contexts[c]);
  generics(SHMEM_CTX_DEFAULT);
}

/* ---- each to each, with strides; of a set that does not begin at 0 ---- */
static long sync_words[SHMEM_ALLTOALLS_SYNC_SIZE], more_sync[SHMEM_ALLTOALL_SYNC_SIZE];

static void each_to_each(void) {
  const size_t blocks = (size_t)npes * 3;
  int32_t *out = shmem_calloc(2 * blocks, sizeof *out), *in = shmem_calloc(3 * blocks, sizeof *in);
  for (size_t i = 0; i < 2 * blocks; ++i) out[i] = (int32_t)(me * 1000 + i);
  for (size_t i = 0; i < 3 * blocks; ++i) in[i] = -1;
  shmem_barrier_all();
  shmem_alltoalls32(in, out, 3, 2, 3, 0, 0, npes, sync_words);
  for (int pe = 0; pe < npes; ++pe)
    for (int i = 0; i < 9; ++i) CHECK(in[9 * pe + i] == (i % 3 ? -1 : pe * 1000 + 2 * (3 * me + i / 3)));
  shmem_barrier_all();
  if (me >= 1) { /* the other processes */
    shmem_alltoall32(in, out, 3, 1, 0, npes - 1, more_sync);
    for (int pe = 1; pe < npes; ++pe)
      for (int i = 0; i < 3; ++i) CHECK(in[3 * (pe - 1) + i] == pe * 1000 + 3 * (me - 1) + i);
  }
  shmem_barrier_all();
  shmem_free(out);
  shmem_free(in);
}

/* ---- testing a word, and waiting for words of all lengths ---- */
static short flag_short;
static unsigned long flag_ulong;
static int32_t flags[64];

static void waiting(void) {
  const int next = (me + 1) % npes;
  shmem_p(&flag_short, (short)(me + 1), next);
  shmem_wait_until(&flag_short, SHMEM_CMP_NE, 0);
  shmem_fence();
  shmem_ulong_p(&flag_ulong, 7UL, next);
  while (!shmem_test(&flag_ulong, SHMEM_CMP_GE, 7UL)) continue;
  CHECK(flag_short == (me + npes - 1) % npes + 1 && flag_ulong == 7);
  for (int pe = 0; pe < npes; ++pe) shmem_int32_p(&flags[me], me + 10, pe);
  for (int pe = 0; pe < npes; ++pe) shmem_int32_wait_until(&flags[pe], SHMEM_CMP_EQ, pe + 10);
  shmem_sync_all();
  CHECK(!shmem_int32_test(&flags[0], SHMEM_CMP_LT, 10));
}

/* ---- the heap ---- */
static void heap(void) {
  enum { PIECES = 40 };
  char* pieces[PIECES];
  for (int i = 0; i < PIECES; ++i) {
    pieces[i] = i % 2 ? shmem_malloc(100 * i + 1) : shmem_align((size_t)8 << (i % 10), 64 + i);
    CHECK(pieces[i] && shmem_addr_accessible(pieces[i], (me + 1) % npes));
    memset(pieces[i], i, i % 2 ? 100 * i + 1 : 64 + i);
  }
  for (int i = 0; i < PIECES; i += 2) CHECK((size_t)pieces[i] % ((size_t)8 << (i % 10)) == 0), shmem_free(pieces[i]);
  for (int i = 1; i < PIECES; i += 2) {
    pieces[i] = shmem_realloc(pieces[i], 200 * i);
    for (int k = 0; k < 100 * i + 1; ++k) CHECK(pieces[i][k] == (char)i);
    shmem_free(pieces[i]);
  }
  CHECK(shmem_malloc(0) == NULL);
  shmem_free(NULL);
  CHECK(shmem_ptr(flags, me) == flags);
}

int main(void) {
  int provided, level;
  CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) == 0 && provided >= SHMEM_THREAD_FUNNELED);
  me = shmem_my_pe();
  npes = shmem_n_pes();
  shmem_query_thread(&level);
  CHECK(level == provided);
  for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; ++i) sync_words[i] = SHMEM_SYNC_VALUE;
  for (size_t i = 0; i < sizeof more_sync / sizeof *more_sync; ++i) more_sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  several();
  each_to_each();
  waiting();
  heap();
  shmem_barrier_all();
  if (me == 0) printf("PASS contexts on %d PEs\n", npes);
  shmem_finalize();
  return 0;
}
