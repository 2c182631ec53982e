/* OpenSHMEM 1.5 in the style of unit tests: every wait and test, of every type: for one variable, for all, any and some
 * of several, with one value or a vector of values, some left out. */
#include "pe_check.h"

enum { N = 5, MANY = 150 };
static int next_pe;

/* The previous PE writes i + 1 to variable i, later ones first; variable 3 is left out, and never written. */
static const int left_out[N] = {0, 0, 0, 1, 0}, all_left_out[N] = {1, 1, 1, 1, 1};

#define WRITE(name, type)          \
  for (int i = N - 1; i >= 0; --i) \
    if (i != 3) shmem_##name##_p(&flags[i], (type)(i + 1), next_pe);

#define OF_ALL(name, type, tail, values)                                                     \
  static void name##_all##tail(void) {                                                       \
    static type flags[N];                                                                    \
    const type each[N] = {1, 2, 3, 4, 5}, one = 1;                                           \
    (void)each, (void)one;                                                                   \
    memset(flags, 0, sizeof flags);                                                          \
    shmem_barrier_all();                                                                     \
    WRITE(name, type)                                                                        \
    shmem_##name##_wait_until_all##tail(flags, N, left_out, SHMEM_CMP_GE, values);           \
    CHECK(shmem_##name##_test_all##tail(flags, N, left_out, SHMEM_CMP_GE, values) == 1);     \
    for (int i = 0; i < N; ++i) CHECK(flags[i] == (type)(i == 3 ? 0 : i + 1));               \
    CHECK(!shmem_##name##_test_all##tail(flags, N, NULL, SHMEM_CMP_GE, values));             \
    CHECK(shmem_##name##_test_all##tail(flags, N, all_left_out, SHMEM_CMP_LT, values) == 1); \
    CHECK(shmem_##name##_test_all##tail(flags, 0, NULL, SHMEM_CMP_LT, values) == 1);         \
    shmem_##name##_wait_until_all##tail(flags, N, all_left_out, SHMEM_CMP_LT, values);       \
    shmem_barrier_all();                                                                     \
  }

#define OF_ANY(name, type, tail, values)                                                                           \
  static void name##_any##tail(void) {                                                                             \
    static type flags[N];                                                                                          \
    const type each[N] = {1, 2, 3, 4, 5}, one = 1;                                                                 \
    int done[N];                                                                                                   \
    (void)each, (void)one;                                                                                         \
    memcpy(done, left_out, sizeof done);                                                                           \
    memset(flags, 0, sizeof flags);                                                                                \
    shmem_barrier_all();                                                                                           \
    WRITE(name, type)                                                                                              \
    for (int found = 0; found < N - 1; ++found) {                                                                  \
      const size_t i = shmem_##name##_wait_until_any##tail(flags, N, done, SHMEM_CMP_GE, values);                  \
      CHECK(i < N && !done[i] && flags[i] == (type)(i + 1));                                                       \
      done[i] = 1;                                                                                                 \
    }                                                                                                              \
    CHECK(shmem_##name##_wait_until_any##tail(flags, N, done, SHMEM_CMP_GE, values) == SIZE_MAX);                  \
    CHECK(shmem_##name##_test_any##tail(flags, N, all_left_out, SHMEM_CMP_GE, values) == SIZE_MAX);                \
    CHECK(shmem_##name##_test_any##tail(flags, N, NULL, SHMEM_CMP_LT, values) == 3);                               \
    /* Each that holds is found in the end. */                                                                     \
    unsigned seen = 0;                                                                                             \
    for (int k = 0; k < N; ++k) seen |= 1u << shmem_##name##_test_any##tail(flags, N, NULL, SHMEM_CMP_GE, values); \
    CHECK(seen == 0x17);                                                                                           \
    shmem_barrier_all();                                                                                           \
  }

#define OF_SOME(name, type, tail, values)                                                                         \
  static void name##_some##tail(void) {                                                                           \
    static type flags[N];                                                                                         \
    const type each[N] = {1, 2, 3, 4, 5}, one = 1;                                                                \
    size_t indices[N];                                                                                            \
    int done[N];                                                                                                  \
    (void)each, (void)one;                                                                                        \
    memcpy(done, left_out, sizeof done);                                                                          \
    memset(flags, 0, sizeof flags);                                                                               \
    shmem_barrier_all();                                                                                          \
    WRITE(name, type)                                                                                             \
    for (size_t found = 0, now; found < N - 1; found += now) {                                                    \
      now = shmem_##name##_wait_until_some##tail(flags, N, indices, done, SHMEM_CMP_GE, values);                  \
      CHECK(now > 0);                                                                                             \
      for (size_t k = 0; k < now; ++k) CHECK(!done[indices[k]] && ++done[indices[k]] == 1);                       \
    }                                                                                                             \
    CHECK(shmem_##name##_wait_until_some##tail(flags, N, indices, done, SHMEM_CMP_GE, values) == 0);              \
    CHECK(shmem_##name##_test_some##tail(flags, N, indices, all_left_out, SHMEM_CMP_GE, values) == 0);            \
    CHECK(shmem_##name##_test_some##tail(flags, N, indices, NULL, SHMEM_CMP_GE, values) == N - 1);                \
    CHECK(shmem_##name##_test_some##tail(flags, N, indices, NULL, SHMEM_CMP_LT, values) == 1 && indices[0] == 3); \
    shmem_barrier_all();                                                                                          \
  }

#define OF_ONE(name, type)                                                                              \
  static void name##_one(void) {                                                                        \
    static type flag;                                                                                   \
    flag = 0;                                                                                           \
    shmem_barrier_all();                                                                                \
    CHECK(npes == 1 || shmem_##name##_test(&flag, SHMEM_CMP_NE, 200) == 1);                             \
    shmem_##name##_p(&flag, 9, next_pe);                                                                \
    shmem_##name##_wait_until(&flag, SHMEM_CMP_EQ, 9);                                                  \
    CHECK(shmem_##name##_test(&flag, SHMEM_CMP_EQ, 9) && !shmem_##name##_test(&flag, SHMEM_CMP_NE, 9)); \
    CHECK(shmem_##name##_test(&flag, SHMEM_CMP_LE, 9) && !shmem_##name##_test(&flag, SHMEM_CMP_LT, 9)); \
    CHECK(shmem_##name##_test(&flag, SHMEM_CMP_GE, 9) && !shmem_##name##_test(&flag, SHMEM_CMP_GT, 9)); \
    shmem_barrier_all();                                                                                \
  }

#define EACH(name, type)            \
  OF_ONE(name, type)                \
  OF_ALL(name, type, , one)         \
  OF_ALL(name, type, _vector, each) \
  OF_ANY(name, type, , one)         \
  OF_ANY(name, type, _vector, each) \
  OF_SOME(name, type, , one)        \
  OF_SOME(name, type, _vector, each)
WAITED(EACH)

/* More variables than one sleep can watch. */
static void many(void) {
  static long flags[MANY];
  static int done[MANY];
  shmem_barrier_all();
  for (int i = 0; i < MANY; ++i) shmem_long_p(&flags[(i * 7 + 3) % MANY], 1, next_pe);
  for (int i = 0; i < MANY; ++i) done[shmem_long_wait_until_any(flags, MANY, done, SHMEM_CMP_EQ, 1)] = 1;
  for (int i = 0; i < MANY; ++i) CHECK(done[i] == 1);
  shmem_barrier_all();
}

static void generic(void) {
#if __STDC_VERSION__ >= 201112L
  static unsigned flags[N];
  const unsigned each[N] = {1, 2, 3, 4, 5};
  size_t indices[N];
  shmem_barrier_all();
  for (int i = 0; i < N; ++i) shmem_p(&flags[i], (unsigned)(i + 1), next_pe);
  shmem_wait_until_all(flags, N, NULL, SHMEM_CMP_NE, 0);
  shmem_wait_until_all_vector(flags, N, NULL, SHMEM_CMP_EQ, each);
  CHECK(shmem_wait_until_any(flags, N, NULL, SHMEM_CMP_EQ, 4) == 3);
  CHECK(shmem_wait_until_any_vector(flags, N, left_out, SHMEM_CMP_EQ, each) != 3);
  CHECK(shmem_wait_until_some(flags, N, indices, NULL, SHMEM_CMP_GT, 3) == 2);
  CHECK(shmem_wait_until_some_vector(flags, N, indices, NULL, SHMEM_CMP_EQ, each) == N);
  CHECK(shmem_test_all(flags, N, NULL, SHMEM_CMP_LE, 5) && shmem_test_all_vector(flags, N, NULL, SHMEM_CMP_EQ, each));
  CHECK(shmem_test_any(flags, N, NULL, SHMEM_CMP_GT, 5) == SIZE_MAX);
  CHECK(shmem_test_any_vector(flags, N, NULL, SHMEM_CMP_LT, each) == SIZE_MAX);
  CHECK(shmem_test_some(flags, N, indices, NULL, SHMEM_CMP_LT, 3) == 2);
  CHECK(shmem_test_some_vector(flags, N, indices, left_out, SHMEM_CMP_EQ, each) == N - 1);
  shmem_barrier_all();
#endif
}

int main(void) {
  start();
  next_pe = (me + 1) % npes;
#define RUN(name, type)                                                                              \
  name##_one(), name##_all(), name##_all_vector(), name##_any(), name##_any_vector(), name##_some(), \
      name##_some_vector();
  WAITED(RUN)
  many();
  generic();
  return passed("waits");
}
