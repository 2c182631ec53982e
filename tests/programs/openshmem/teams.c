/* OpenSHMEM 1.5 in the style of unit tests: teams of all shapes, their numbers, contexts and configurations; every
 * collective call of teams, of every type, on teams that are not all PEs. */
#include "pe_check.h"

enum { N = 3, MOST = 64 };
static shmem_team_t team;
static int self, size; /* in it */

static int world_of(int pe) { return shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD); }
static int value(int pe, int i) { return (pe * 5 + i * 3) % 50 + 1; }

/* ---- collective calls that move data ---- */
#define COLLECTIVE(name, type)                                                                           \
  static void name##_collective(void) {                                                                  \
    static type source[N * MOST], dest[3 * N * MOST];                                                    \
    const int root = size / 2;                                                                           \
    for (int i = 0; i < N * size; ++i) source[i] = (type)value(me, i);                                   \
    memset(dest, 0, sizeof dest);                                                                        \
    shmem_team_sync(team);                                                                               \
    CHECK(shmem_##name##_broadcast(team, dest, source, N, root) == 0);                                   \
    for (int i = 0; i < N; ++i) CHECK(dest[i] == (type)value(world_of(root), i) && dest[N + i] == 0);    \
    shmem_team_sync(team);                                                                               \
    CHECK(shmem_##name##_fcollect(team, dest, source, N) == 0);                                          \
    for (int i = 0; i < N * size; ++i) CHECK(dest[i] == (type)value(world_of(i / N), i % N));            \
    shmem_team_sync(team);                                                                               \
    CHECK(shmem_##name##_collect(team, dest, source, (size_t)self % 3) == 0);                            \
    for (int pe = 0, at = 0; pe < size; ++pe)                                                            \
      for (int i = 0; i < pe % 3; ++i) CHECK(dest[at++] == (type)value(world_of(pe), i));                \
    shmem_team_sync(team);                                                                               \
    CHECK(shmem_##name##_alltoall(team, dest, source, N) == 0);                                          \
    for (int i = 0; i < N * size; ++i) CHECK(dest[i] == (type)value(world_of(i / N), self * N + i % N)); \
    shmem_team_sync(team);                                                                               \
    memset(dest, 0, sizeof dest);                                                                        \
    shmem_team_sync(team);                                                                               \
    CHECK(shmem_##name##_alltoalls(team, dest, source, 3, 1, N) == 0);                                   \
    for (int i = 0; i < 3 * N * size; ++i)                                                               \
      CHECK(dest[i] == (type)(i % 3 ? 0 : value(world_of(i / 3 / N), self * N + i / 3 % N)));            \
    shmem_team_sync(team);                                                                               \
  }
RMA(COLLECTIVE)

static void bytes_collective(void) {
  static unsigned char source[N * MOST], dest[2 * N * MOST];
  for (int i = 0; i < N * size; ++i) source[i] = (unsigned char)value(me, i);
  shmem_team_sync(team);
  CHECK(shmem_broadcastmem(team, dest, source, N, 0) == 0);
  for (int i = 0; i < N; ++i) CHECK(dest[i] == value(world_of(0), i));
  shmem_team_sync(team);
  CHECK(shmem_fcollectmem(team, dest, source, N) == 0);
  for (int i = 0; i < N * size; ++i) CHECK(dest[i] == value(world_of(i / N), i % N));
  shmem_team_sync(team);
  CHECK(shmem_collectmem(team, dest, source, self == 0 ? N : 1) == 0);
  for (int pe = 1; pe < size; ++pe) CHECK(dest[N - 1 + pe] == value(world_of(pe), 0));
  shmem_team_sync(team);
  CHECK(shmem_alltoallmem(team, dest, source, N) == 0);
  for (int i = 0; i < N * size; ++i) CHECK(dest[i] == value(world_of(i / N), self * N + i % N));
  shmem_team_sync(team);
  CHECK(shmem_alltoallsmem(team, dest, source, 2, 1, N) == 0);
  for (int i = 0; i < N * size; ++i) CHECK(dest[2 * i] == value(world_of(i / N), self * N + i % N));
  shmem_team_sync(team);
}

/* ---- reductions: against the same by one process ---- */
#define BITS(M)                    \
  M(uchar, unsigned char)          \
  M(ushort, unsigned short)        \
  M(uint, unsigned int)            \
  M(ulong, unsigned long)          \
  M(ulonglong, unsigned long long) \
  M(int8, int8_t)                  \
  M(int16, int16_t)                \
  M(int32, int32_t)                \
  M(int64, int64_t) M(uint8, uint8_t) M(uint16, uint16_t) M(uint32, uint32_t) M(uint64, uint64_t) M(size, size_t)
#define ORDERED(M)      \
  M(char, char)         \
  M(schar, signed char) \
  M(short, short)       \
  M(int, int)           \
  M(long, long)         \
  M(longlong, long long) M(ptrdiff, ptrdiff_t) M(float, float) M(double, double) M(longdouble, long double) BITS(M)
#define ALL(M) ORDERED(M) M(complexf, float _Complex) M(complexd, double _Complex)

#define REDUCE(name, type, operation, expression)                                      \
  static void name##_##operation(void) {                                               \
    static type source[N], dest[N];                                                    \
    for (int i = 0; i < N; ++i) source[i] = (type)(value(me, i) % 3 + 1), dest[i] = 0; \
    shmem_team_sync(team);                                                             \
    CHECK(shmem_##name##_##operation##_reduce(team, dest, source, N) == 0);            \
    for (int i = 0; i < N; ++i) {                                                      \
      type a = (type)(value(world_of(0), i) % 3 + 1);                                  \
      for (int pe = 1; pe < size; ++pe) {                                              \
        const type b = (type)(value(world_of(pe), i) % 3 + 1);                         \
        a = (type)(expression);                                                        \
      }                                                                                \
      CHECK(dest[i] == a);                                                             \
    }                                                                                  \
    shmem_team_sync(team);                                                             \
    shmem_##name##_##operation##_reduce(team, source, source, N); /* in place */       \
    CHECK(memcmp(source, dest, N * sizeof *dest) == 0 || source[0] == dest[0]);        \
    shmem_team_sync(team);                                                             \
  }
#define OF_BITS(name, type)     \
  REDUCE(name, type, and, a& b) \
  REDUCE(name, type, or, a | b) \
  REDUCE(name, type, xor, a ^ b)
#define OF_ORDERED(name, type)           \
  REDUCE(name, type, min, a < b ? a : b) \
  REDUCE(name, type, max, a > b ? a : b)
#define OF_ALL(name, type)       \
  REDUCE(name, type, sum, a + b) \
  REDUCE(name, type, prod, a* b)
BITS(OF_BITS)
ORDERED(OF_ORDERED)
ALL(OF_ALL)

static void collectives(void) {
#define RUN(name, type) name##_collective();
  RMA(RUN)
#undef RUN
  bytes_collective();
#define RUN(name, type) name##_and(), name##_or(), name##_xor();
  BITS(RUN)
#undef RUN
#define RUN(name, type) name##_min(), name##_max();
  ORDERED(RUN)
#undef RUN
#define RUN(name, type) name##_sum(), name##_prod();
  ALL(RUN)
#undef RUN
}

static void generic(void) {
#if __STDC_VERSION__ >= 201112L
  static int source[MOST], dest[MOST];
  static double real, sum;
  for (int i = 0; i < size; ++i) source[i] = me + i;
  real = me + 0.5;
  shmem_team_sync(team);
  shmem_broadcast(team, dest, source, 1, 0);
  CHECK(dest[0] == world_of(0));
  shmem_sync(team);
  shmem_fcollect(team, dest, source, 1);
  CHECK(dest[size - 1] == world_of(size - 1));
  shmem_sync(team);
  shmem_collect(team, dest, source, 1);
  CHECK(dest[0] == world_of(0));
  shmem_sync(team);
  shmem_alltoall(team, dest, source, 1);
  CHECK(dest[size - 1] == world_of(size - 1) + self);
  shmem_sync(team);
  shmem_alltoalls(team, dest, source, 1, 1, 1);
  CHECK(dest[0] == world_of(0) + self);
  shmem_sync(team);
  double expected = 0;
  for (int pe = 0; pe < size; ++pe) expected += world_of(pe) + 0.5;
  shmem_sum_reduce(team, &sum, &real, 1);
  CHECK(sum == expected);
  shmem_sync(team);
  shmem_max_reduce(team, &sum, &real, 1);
  shmem_sync(team);
  shmem_min_reduce(team, &sum, &real, 1);
  shmem_sync(team);
  shmem_prod_reduce(team, &sum, &real, 1);
  shmem_sync(team);
  shmem_or_reduce(team, dest, source, 1);
  shmem_sync(team);
  shmem_and_reduce(team, dest, source, 1);
  shmem_sync(team);
  shmem_xor_reduce(team, dest, source, 1);
  shmem_sync(team);
#endif
}

/* ---- a context of the team takes its numbers ---- */
static void contexts(void) {
  static long word, counter;
  shmem_ctx_t context;
  shmem_team_t of_context;
  word = counter = 0;
  shmem_team_sync(team);
  CHECK(shmem_team_create_ctx(team, SHMEM_CTX_NOSTORE, &context) == 0 && context != SHMEM_CTX_INVALID);
  CHECK(shmem_ctx_get_team(context, &of_context) == 0 && of_context == team);
  shmem_ctx_long_p(context, &word, 100 + self, (self + 1) % size);
  shmem_ctx_long_atomic_inc(context, &counter, size - 1);
  shmem_ctx_quiet(context);
  shmem_team_sync(team);
  CHECK(word == 100 + (self + size - 1) % size && (self != size - 1 || counter == size));
  CHECK(shmem_ctx_long_g(context, &word, 0) == 100 + size - 1);
  shmem_team_sync(team);
  shmem_ctx_destroy(context);
}

static void use(int all_types) {
  self = shmem_team_my_pe(team);
  size = shmem_team_n_pes(team);
  CHECK(self >= 0 && self < size && world_of(self) == me);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, team) == self && world_of(size) == -1 && world_of(-1) == -1);
  if (all_types) collectives();
  bytes_collective();
  int_collective();
  longdouble_max();
  generic();
  contexts();
}

/* `of_world`: the members, in this order, by a number. */
static void strided(shmem_team_t parent, int start, int stride, int count, int all_types) {
  const int own = shmem_team_my_pe(parent);
  int member = -1;
  for (int i = 0; i < count; ++i)
    if (start + i * stride == own) member = i;
  shmem_team_config_t config = {7}, got = {0};
  team = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(parent, start, stride, count, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
  CHECK(shmem_team_my_pe(team) == member && (team == SHMEM_TEAM_INVALID) == (member < 0));
  if (member < 0) return;
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 7);
  use(all_types);
  shmem_team_destroy(team);
}

static void grid(shmem_team_t parent, int range) {
  shmem_team_t x, y;
  const int own = shmem_team_my_pe(parent), count = shmem_team_n_pes(parent);
  CHECK(shmem_team_split_2d(parent, range, NULL, 0, &x, NULL, 0, &y) == 0);
  CHECK(shmem_team_my_pe(x) == own % range && shmem_team_my_pe(y) == own / range);
  const int row = own / range * range;
  CHECK(shmem_team_n_pes(x) == (row + range <= count ? range : count - row));
  CHECK(shmem_team_n_pes(y) == (count - own % range + range - 1) / range);
  for (int i = 0; i < shmem_team_n_pes(x); ++i) CHECK(shmem_team_translate_pe(x, i, parent) == row + i);
  for (int i = 0; i < shmem_team_n_pes(y); ++i) CHECK(shmem_team_translate_pe(y, i, parent) == own % range + i * range);
  team = x;
  use(0);
  team = y;
  use(0);
  shmem_team_destroy(y);
  shmem_team_destroy(x);
}

static void predefined(void) {
  shmem_team_t of_context = SHMEM_TEAM_INVALID, none = SHMEM_TEAM_WORLD, other = SHMEM_TEAM_WORLD;
  shmem_ctx_t context = SHMEM_CTX_DEFAULT;
  shmem_team_config_t config;
  CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == npes);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &of_context) == 0 && of_context == SHMEM_TEAM_WORLD);
  CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1);
  for (int pe = 0; pe < shmem_team_n_pes(SHMEM_TEAM_SHARED); ++pe)
    CHECK(shmem_ptr(&self, shmem_team_translate_pe(SHMEM_TEAM_SHARED, pe, SHMEM_TEAM_WORLD)) != NULL);
  team = SHMEM_TEAM_SHARED;
  use(0);
  /* What the standard says of the invalid ones. */
  CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1);
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, &config) != 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &none) != 0 && none == SHMEM_TEAM_INVALID);
  none = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &none, NULL, 0, &other) != 0);
  CHECK(none == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &context) != 0 && context == SHMEM_CTX_INVALID);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &none) != 0 && none == SHMEM_TEAM_INVALID);
  shmem_team_destroy(SHMEM_TEAM_INVALID);
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
}

int main(void) {
  start();
  predefined();
  team = SHMEM_TEAM_WORLD;
  use(0);
  strided(SHMEM_TEAM_WORLD, 0, 1, npes, 0);
  strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, 1);
  strided(SHMEM_TEAM_WORLD, npes / 2, 0, 1, 0);
  if (npes > 2) strided(SHMEM_TEAM_WORLD, 1, 1, npes - 1, 1);
  if (npes > 2) strided(SHMEM_TEAM_WORLD, 0, 2, (npes + 1) / 2, 0);
  for (int range = 1; range <= npes; range = range * 2 + 1) grid(SHMEM_TEAM_WORLD, range);
  /* Teams of teams: odd ones backwards, and those of them but the first. */
  shmem_team_t odd;
  if (npes > 5) {
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, (npes - 2) / 2 * 2 + 1, -2, npes / 2, NULL, 0, &odd) == 0);
    if (odd != SHMEM_TEAM_INVALID) {
      CHECK(shmem_team_translate_pe(odd, 0, SHMEM_TEAM_WORLD) == (npes - 2) / 2 * 2 + 1);
      strided(odd, 1, 1, npes / 2 - 1, 0);
      grid(odd, 2);
      shmem_team_destroy(odd);
    }
  }
  return passed("teams");
}
