/* OpenSHMEM 1.5 in the style of unit tests: every put, get, put with signal and atomic operation, of every type, size
 * and kind, on the default context, on one of all, and on one of a team that counts backwards. */
#include "pe_check.h"

enum { N = 6, KINDS = 5 };
static int next_pe, previous_pe; /* as the context numbers them */
static shmem_ctx_t ctx;
static uint64_t signals[4];
static uint64_t expected_signal;

/* What PE `pe` (of all) sends as element i in the way `kind`. */
static int value(int pe, int kind, int i) { return (pe * 7 + kind * 13 + i * 3) % 100 + 1; }

#define DEFAULT
#define GIVEN ctx,

/* All writers of a PE are one: `writer`; it reads from `target`. */
#define MOVE_AS(prefix, in, quiet, name, type)                                                                       \
  static void prefix##name##_moves(int target, int writer, int to) {                                                 \
    static type here[KINDS][2 * N], single, source[KINDS][N];                                                        \
    type got[N], later[N], gaps[2 * N] = {0};                                                                        \
    memset(here, 0, sizeof here);                                                                                    \
    for (int k = 0; k < KINDS; ++k)                                                                                  \
      for (int i = 0; i < N; ++i) source[k][i] = (type)value(me, k, i);                                              \
    shmem_barrier_all();                                                                                             \
    prefix##name##_put(in here[0], source[0], N, to);                                                                \
    prefix##name##_put_nbi(in here[1], source[1], N, to);                                                            \
    prefix##name##_iput(in here[2], source[2], 2, 1, N, to);                                                         \
    prefix##name##_put_signal(in here[3], source[3], N, &signals[0], expected_signal, SHMEM_SIGNAL_SET, to);         \
    prefix##name##_put_signal_nbi(in here[4], source[4], N, &signals[1], 3, SHMEM_SIGNAL_ADD, to);                   \
    prefix##name##_p(in& single, (type)value(me, 9, 0), to);                                                         \
    CHECK(shmem_signal_wait_until(&signals[0], SHMEM_CMP_EQ, expected_signal) == expected_signal);                   \
    for (int i = 0; i < N; ++i) CHECK(here[3][i] == (type)value(writer, 3, i));                                      \
    quiet;                                                                                                           \
    shmem_signal_wait_until(&signals[1], SHMEM_CMP_GE, 3 * expected_signal);                                         \
    for (int i = 0; i < N; ++i) CHECK(here[4][i] == (type)value(writer, 4, i));                                      \
    CHECK(shmem_signal_fetch(&signals[1]) == 3 * expected_signal);                                                   \
    ++expected_signal;                                                                                               \
    shmem_barrier_all();                                                                                             \
    for (int i = 0; i < N; ++i) {                                                                                    \
      CHECK(here[0][i] == (type)value(writer, 0, i) && here[1][i] == (type)value(writer, 1, i));                     \
      CHECK(here[2][2 * i] == (type)value(writer, 2, i) && here[2][2 * i + 1] == 0);                                 \
    }                                                                                                                \
    CHECK(single == (type)value(writer, 9, 0));                                                                      \
    prefix##name##_get(in got, source[1], N, to);                                                                    \
    prefix##name##_get_nbi(in later, source[2], N, to);                                                              \
    prefix##name##_iget(in gaps, here[2], 1, 2, N, to);                                                              \
    CHECK(prefix##name##_g(in& source[3][2], to) == (type)value(target, 3, 2));                                      \
    quiet;                                                                                                           \
    for (int i = 0; i < N; ++i) CHECK(got[i] == (type)value(target, 1, i) && later[i] == (type)value(target, 2, i)); \
    for (int i = 0; i < N; ++i) CHECK(gaps[i] == (type)value(me, 2, i) && gaps[N + i] == 0);                         \
    shmem_barrier_all();                                                                                             \
  }
#define MOVES(name, type)                             \
  MOVE_AS(shmem_, DEFAULT, shmem_quiet(), name, type) \
  MOVE_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), name, type)
RMA(MOVES)

/* ---- by sizes, and in bytes ---- */
#define SIZE_AS(prefix, in, quiet, bits, type, size)                                                          \
  static void prefix##bits##_moves(int writer, int to) {                                                      \
    static char here[KINDS][2 * N * 16], source[KINDS][N * 16];                                               \
    char got[2][N * 16];                                                                                      \
    memset(here, 0, sizeof here);                                                                             \
    for (int k = 0; k < KINDS; ++k)                                                                           \
      for (int i = 0; i < N * (size); ++i) source[k][i] = (char)value(me, k, i);                              \
    shmem_barrier_all();                                                                                      \
    prefix##put##bits(in here[0], source[0], N, to);                                                          \
    prefix##put##bits##_nbi(in here[1], source[1], N, to);                                                    \
    prefix##put##bits##_signal(in here[3], source[3], N, &signals[0], expected_signal, SHMEM_SIGNAL_SET, to); \
    prefix##put##bits##_signal_nbi(in here[4], source[4], N, &signals[1], 3, SHMEM_SIGNAL_ADD, to);           \
    quiet;                                                                                                    \
    shmem_signal_wait_until(&signals[0], SHMEM_CMP_EQ, expected_signal);                                      \
    for (int i = 0; i < N * (size); ++i) CHECK(here[3][i] == (char)value(writer, 3, i));                      \
    shmem_signal_wait_until(&signals[1], SHMEM_CMP_EQ, 3 * expected_signal++);                                \
    for (int i = 0; i < N * (size); ++i) CHECK(here[4][i] == (char)value(writer, 4, i));                      \
    shmem_barrier_all();                                                                                      \
    for (int i = 0; i < N * (size); ++i)                                                                      \
      CHECK(here[0][i] == (char)value(writer, 0, i) && here[1][i] == (char)value(writer, 1, i));              \
    prefix##get##bits(in got[0], here[0], N, to);                                                             \
    prefix##get##bits##_nbi(in got[1], here[1], N, to);                                                       \
    quiet;                                                                                                    \
    for (int i = 0; i < N * (size); ++i)                                                                      \
      CHECK(got[0][i] == (char)value(me, 0, i) && got[1][i] == (char)value(me, 1, i));                        \
    shmem_barrier_all();                                                                                      \
  }
#define STRIDE_AS(prefix, in, bits, type)                                                        \
  static void prefix##bits##_strides(int writer, int to) {                                       \
    static type here[2 * N], source[N];                                                          \
    type got[N];                                                                                 \
    memset(here, 0, sizeof here);                                                                \
    for (int i = 0; i < N; ++i) memset(&source[i], value(me, 2, i), sizeof *source);             \
    shmem_barrier_all();                                                                         \
    prefix##iput##bits(in here, source, 2, 1, N, to);                                            \
    shmem_barrier_all();                                                                         \
    for (int i = 0; i < N; ++i)                                                                  \
      CHECK(*(char*)&here[2 * i] == (char)value(writer, 2, i) && *(char*)&here[2 * i + 1] == 0); \
    prefix##iget##bits(in got, here, 1, 2, N, to);                                               \
    CHECK(memcmp(got, source, sizeof got) == 0);                                                 \
    shmem_barrier_all();                                                                         \
  }
#define SIZED(bits, type)                                                         \
  SIZE_AS(shmem_, DEFAULT, shmem_quiet(), bits, type, (int)sizeof(type))          \
  SIZE_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), bits, type, (int)sizeof(type)) \
  STRIDE_AS(shmem_, DEFAULT, bits, type)                                          \
  STRIDE_AS(shmem_ctx_, GIVEN, bits, type)
SIZES(SIZED)
SIZE_AS(shmem_, DEFAULT, shmem_quiet(), mem, char, 1)
SIZE_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), mem, char, 1)

/* ---- atomic operations: each PE has words of the next one to itself ---- */
#define FETCH_AS(prefix, in, quiet, name, type)                          \
  static void prefix##name##_fetches(int to) {                           \
    static type word;                                                    \
    type later = 0, swapped = 0;                                         \
    word = 0;                                                            \
    shmem_barrier_all();                                                 \
    prefix##name##_atomic_set(in& word, (type)5, to);                    \
    quiet;                                                               \
    CHECK(prefix##name##_atomic_fetch(in& word, to) == (type)5);         \
    CHECK(prefix##name##_atomic_swap(in& word, (type)7, to) == (type)5); \
    prefix##name##_atomic_fetch_nbi(in& later, &word, to);               \
    quiet;                                                               \
    CHECK(later == (type)7);                                             \
    prefix##name##_atomic_swap_nbi(in& swapped, &word, (type)9, to);     \
    quiet;                                                               \
    CHECK(swapped == (type)7);                                           \
    shmem_barrier_all();                                                 \
    CHECK(word == (type)9);                                              \
    shmem_barrier_all();                                                 \
  }
#define FETCHES(name, type)                            \
  FETCH_AS(shmem_, DEFAULT, shmem_quiet(), name, type) \
  FETCH_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), name, type)
AMO(FETCHES)
FETCHES(float, float)
FETCHES(double, double)

#define ADD_AS(prefix, in, quiet, name, type)                              \
  static void prefix##name##_adds(int to) {                                \
    static type word;                                                      \
    type a = 0, b = 0, c = 0;                                              \
    word = 10;                                                             \
    shmem_barrier_all();                                                   \
    prefix##name##_atomic_inc(in& word, to);                               \
    prefix##name##_atomic_add(in& word, 4, to);                            \
    quiet;                                                                 \
    CHECK(prefix##name##_atomic_fetch_inc(in& word, to) == 15);            \
    CHECK(prefix##name##_atomic_fetch_add(in& word, 2, to) == 16);         \
    CHECK(prefix##name##_atomic_compare_swap(in& word, 1, 2, to) == 18);   \
    CHECK(prefix##name##_atomic_compare_swap(in& word, 18, 20, to) == 18); \
    prefix##name##_atomic_fetch_inc_nbi(in& a, &word, to);                 \
    quiet;                                                                 \
    prefix##name##_atomic_fetch_add_nbi(in& b, &word, 9, to);              \
    quiet;                                                                 \
    prefix##name##_atomic_compare_swap_nbi(in& c, &word, 30, 40, to);      \
    quiet;                                                                 \
    CHECK(a == 20 && b == 21 && c == 30);                                  \
    shmem_barrier_all();                                                   \
    CHECK(word == 40);                                                     \
    shmem_barrier_all();                                                   \
  }
#define ADDS(name, type)                             \
  ADD_AS(shmem_, DEFAULT, shmem_quiet(), name, type) \
  ADD_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), name, type)
AMO(ADDS)

#define LOGIC_AS(prefix, in, quiet, name, type)                         \
  static void prefix##name##_logic(int to) {                            \
    static type word;                                                   \
    type a = 0, b = 0, c = 0;                                           \
    word = 0xf0;                                                        \
    shmem_barrier_all();                                                \
    prefix##name##_atomic_or(in& word, 0x0f, to);                       \
    quiet;                                                              \
    prefix##name##_atomic_and(in& word, 0x3c, to);                      \
    quiet;                                                              \
    prefix##name##_atomic_xor(in& word, 0xff, to);                      \
    quiet;                                                              \
    CHECK(prefix##name##_atomic_fetch_or(in& word, 0x30, to) == 0xc3);  \
    CHECK(prefix##name##_atomic_fetch_and(in& word, 0x3f, to) == 0xf3); \
    CHECK(prefix##name##_atomic_fetch_xor(in& word, 0x03, to) == 0x33); \
    prefix##name##_atomic_fetch_or_nbi(in& a, &word, 0x01, to);         \
    quiet;                                                              \
    prefix##name##_atomic_fetch_and_nbi(in& b, &word, 0x11, to);        \
    quiet;                                                              \
    prefix##name##_atomic_fetch_xor_nbi(in& c, &word, 0x70, to);        \
    quiet;                                                              \
    CHECK(a == 0x30 && b == 0x31 && c == 0x11);                         \
    shmem_barrier_all();                                                \
    CHECK(word == 0x61);                                                \
    shmem_barrier_all();                                                \
  }
#define LOGIC(name, type)                              \
  LOGIC_AS(shmem_, DEFAULT, shmem_quiet(), name, type) \
  LOGIC_AS(shmem_ctx_, GIVEN, shmem_ctx_quiet(ctx), name, type)
AMO_BITWISE(LOGIC)

/* ---- constants are symmetric: what is read may be one ---- */
static const long table[N] = {31, 37, 41, 43, 47, 53};
static const char words[] = "the same in all processes";

static void constants(void) {
  static long here[N];
  static char text[sizeof words];
  long got[N];
  CHECK(shmem_addr_accessible(table, next_pe) && shmem_ptr(words, me) == words);
  shmem_long_put(here, table, N, next_pe);
  shmem_putmem(text, words, sizeof words, next_pe);
  shmem_barrier_all();
  CHECK(memcmp(here, table, sizeof here) == 0 && strcmp(text, words) == 0);
  memset(text, 0, sizeof text);
  shmem_long_get(got, table, N, next_pe);
  shmem_getmem_nbi(text, words, sizeof words, previous_pe);
  shmem_quiet();
  CHECK(memcmp(got, table, sizeof got) == 0 && strcmp(text, words) == 0);
  shmem_long_iget(here, table, 1, 2, N / 2, next_pe);
  CHECK(here[0] == 31 && here[1] == 41 && here[2] == 47 && shmem_long_g(&table[5], next_pe) == 53);
  shmem_barrier_all();
  memset(here, 0, sizeof here);
  shmem_barrier_all();
  CHECK(shmem_long_broadcast(SHMEM_TEAM_WORLD, here, table, N, npes - 1) == 0);
  CHECK(memcmp(here, table, sizeof here) == 0);
  shmem_barrier_all();
  CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, here, table, N) == 0 && here[1] == 37 * npes);
  shmem_barrier_all();
}

/* ---- C11, without types ---- */
static void generic(void) {
#if __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
  static double here[N];
  static uint64_t flag, word;
  double source[N];
  uint64_t was = 0;
  flag = word = 0;
  for (int i = 0; i < N; ++i) source[i] = value(me, 0, i);
  shmem_barrier_all();
  shmem_put_signal(here, source, N, &flag, 1, SHMEM_SIGNAL_SET, next_pe);
  shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);
  for (int i = 0; i < N; ++i) CHECK(here[i] == value(previous_pe, 0, i));
  shmem_barrier_all();
  shmem_put_signal_nbi(SHMEM_CTX_DEFAULT, here, source, N, &flag, 2, SHMEM_SIGNAL_ADD, next_pe);
  shmem_wait_until(&flag, SHMEM_CMP_EQ, 3);
  shmem_atomic_fetch_inc_nbi(&was, &word, next_pe);
  shmem_quiet();
  shmem_atomic_fetch_add_nbi(SHMEM_CTX_DEFAULT, &was, &word, 5, next_pe);
  shmem_quiet();
  CHECK(was == 1);
  shmem_atomic_swap_nbi(&was, &word, 1, next_pe);
  shmem_quiet();
  shmem_atomic_compare_swap_nbi(&was, &word, 1, 3, next_pe);
  shmem_quiet();
  shmem_atomic_fetch_or_nbi(&was, &word, 4, next_pe);
  shmem_quiet();
  shmem_atomic_fetch_and_nbi(&was, &word, 6, next_pe);
  shmem_quiet();
  shmem_atomic_fetch_xor_nbi(&was, &word, 1, next_pe);
  shmem_quiet();
  CHECK(was == 6);
  shmem_atomic_fetch_nbi(&was, &word, next_pe);
  shmem_quiet();
  CHECK(was == 7);
#endif
}

static void of_default(void) {
#define RUN(name, type) shmem_##name##_moves(next_pe, previous_pe, next_pe);
  RMA(RUN)
#undef RUN
#define RUN(bits, type) shmem_##bits##_moves(previous_pe, next_pe), shmem_##bits##_strides(previous_pe, next_pe);
  SIZES(RUN)
#undef RUN
  shmem_mem_moves(previous_pe, next_pe);
#define RUN(name, type) shmem_##name##_fetches(next_pe);
  AMO(RUN)
  RUN(float, float)
  RUN(double, double)
#undef RUN
#define RUN(name, type) shmem_##name##_adds(next_pe);
  AMO(RUN)
#undef RUN
#define RUN(name, type) shmem_##name##_logic(next_pe);
  AMO_BITWISE(RUN)
#undef RUN
}

/* `to`: the context's number of the PE `target`; `writer` is the one that has this one as its target. */
static void of_context(int target, int writer, int to) {
#define RUN(name, type) shmem_ctx_##name##_moves(target, writer, to);
  RMA(RUN)
#undef RUN
#define RUN(bits, type) shmem_ctx_##bits##_moves(writer, to), shmem_ctx_##bits##_strides(writer, to);
  SIZES(RUN)
#undef RUN
  shmem_ctx_mem_moves(writer, to);
#define RUN(name, type) shmem_ctx_##name##_fetches(to);
  AMO(RUN)
  RUN(float, float)
  RUN(double, double)
#undef RUN
#define RUN(name, type) shmem_ctx_##name##_adds(to);
  AMO(RUN)
#undef RUN
#define RUN(name, type) shmem_ctx_##name##_logic(to);
  AMO_BITWISE(RUN)
#undef RUN
}

int main(void) {
  start();
  next_pe = (me + 1) % npes;
  previous_pe = (me + npes - 1) % npes;
  expected_signal = 1;
  of_default();
  constants();
  generic();
  CHECK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) == 0);
  of_context(next_pe, previous_pe, next_pe);
  shmem_ctx_destroy(ctx);
  shmem_team_t backwards;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &backwards) == 0);
  CHECK(shmem_team_create_ctx(backwards, 0, &ctx) == 0);
  of_context(next_pe, previous_pe, npes - 1 - next_pe);
  shmem_ctx_fence(ctx);
  shmem_team_destroy(backwards); /* and its context */
  return passed("moves");
}
