/* OpenSHMEM in the style of verification suites, with its old names: every size and type of put and get with all
 * neighbours, strides, active sets with a stride, atomics, locks, waits; a line for each test, and the number of
 * failures. */
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, MOST_PES = 64 };
static int me, npes, failures;
static long pSync[2][_SHMEM_COLLECT_SYNC_SIZE + _SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
static long pWrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE + N];

static void verify(const char* what, int good) {
  static int all, mine;
  mine = !good;
  shmem_barrier_all();
  shmem_int_sum_to_all(&all, &mine, 1, 0, 0, npes, (int*)pWrk, pSync[0]);
  if (me == 0) printf("%-40s %s\n", what, all ? "FAILED" : "Passed");
  failures += all;
  shmem_barrier_all();
}

/* ---- every type ---- */
#define EACH_TYPE(M) \
  M(short, short)    \
  M(int, int)        \
  M(long, long) M(longlong, long long) M(float, float) M(double, double) M(longdouble, long double) M(char, char)
#define DECLARE(name, type) static type name##_in[2 * N], name##_out[2 * N], name##_one;
EACH_TYPE(DECLARE)

#define MOVE(name, type)                                                                                           \
  static int move_##name(void) {                                                                                   \
    const int next = (me + 1) % npes, previous = (me + npes - 1) % npes;                                           \
    int good = 1;                                                                                                  \
    type local[2 * N];                                                                                             \
    for (int i = 0; i < 2 * N; ++i) name##_out[i] = (type)(me % 8 + 10 * i % 50), name##_in[i] = -1;               \
    name##_one = (type)(me + 3);                                                                                   \
    shmem_barrier_all();                                                                                           \
    shmem_##name##_put(name##_in, name##_out, N, next);                                                            \
    shmem_quiet();                                                                                                 \
    shmem_barrier_all();                                                                                           \
    for (int i = 0; i < N; ++i) good &= name##_in[i] == (type)(previous % 8 + 10 * i % 50);                        \
    for (int i = N; i < 2 * N; ++i) good &= name##_in[i] == (type)-1;                                              \
    shmem_##name##_get(local, name##_out, 2 * N, next);                                                            \
    for (int i = 0; i < 2 * N; ++i) good &= local[i] == (type)(next % 8 + 10 * i % 50);                            \
    good &= shmem_##name##_g(&name##_one, previous) == (type)(previous + 3);                                       \
    shmem_barrier_all();                                                                                           \
    for (int i = 0; i < 2 * N; ++i) name##_in[i] = -1;                                                             \
    shmem_barrier_all();                                                                                           \
    shmem_##name##_iput(name##_in, name##_out, 2, 1, N, next);                                                     \
    shmem_##name##_p(&name##_one, (type)(me + 20), next);                                                          \
    shmem_barrier_all();                                                                                           \
    for (int i = 0; i < 2 * N; ++i) good &= name##_in[i] == (type)(i % 2 ? -1 : previous % 8 + 10 * (i / 2) % 50); \
    good &= name##_one == (type)(previous + 20);                                                                   \
    shmem_##name##_iget(local, name##_out, 1, 2, N, previous);                                                     \
    for (int i = 0; i < N; ++i) good &= local[i] == (type)(previous % 8 + 10 * (2 * i) % 50);                      \
    return good;                                                                                                   \
  }
EACH_TYPE(MOVE)
#define TRY(name, type) verify("put, get, p, g, iput, iget of " #name, move_##name());

/* ---- sizes, large ones with holes around them ---- */
static void sizes(void) {
  enum { BYTES = 100000 };
  const int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
  unsigned char *there = shmalloc(BYTES + 16), *back = malloc(BYTES);
  int good = there != NULL && shmem_addr_accessible(there, next) && shmem_pe_accessible(next);
  for (int bytes = 1; bytes <= BYTES; bytes = bytes * 3 + 1) {
    for (int i = 0; i < bytes; ++i) back[i] = (unsigned char)(me * 31 + i * 7);
    memset(there, 0xee, BYTES + 16);
    shmem_barrier_all();
    shmem_putmem(there + 8, back, bytes, next);
    shmem_barrier_all();
    for (int i = 0; i < bytes; ++i) good &= there[8 + i] == (unsigned char)(previous * 31 + i * 7);
    good &= there[7] == 0xee && there[8 + bytes] == 0xee;
    shmem_getmem(back, there + 8, bytes, next);
    for (int i = 0; i < bytes; ++i) good &= back[i] == (unsigned char)(me * 31 + i * 7);
    shmem_barrier_all();
  }
  verify("putmem and getmem of all sizes", good);
  there = shrealloc(there, 2 * BYTES);
  verify("shrealloc", there != NULL);
  shfree(there);
  free(back);
  void* aligned = shmemalign(1024, 100);
  verify("shmemalign", aligned != NULL && (size_t)aligned % 1024 == 0);
  shfree(aligned);
  verify("memory of the stack is not symmetric", !shmem_addr_accessible(&good, next));
}

/* ---- collective, of all and of every other one ---- */
static int from[N * MOST_PES], to[N * MOST_PES + N], sums[N], parts[N];
static long long_from[N], long_to[N * MOST_PES];

static void sets(void) {
  const int evens = (npes + 1) / 2;
  int good = 1;
  for (int i = 0; i < N; ++i) from[i] = me * 100 + i, to[i] = -1;
  shmem_barrier_all();
  shmem_broadcast32(to, from, N, npes - 1, 0, 0, npes, pSync[1]);
  for (int i = 0; i < N; ++i)
    good &= to[i] == (me == npes - 1 ? -1 : (npes - 1) * 100 + i); /* the root does not receive */
  verify("broadcast32", good);
  good = 1;
  for (int i = 0; i < N; ++i) long_from[i] = me * 1000 + i;
  shmem_barrier_all();
  if (me % 2 == 0) {
    shmem_fcollect64(long_to, long_from, N, 0, 1, evens, pSync[1]);
    for (int p = 0; p < evens; ++p)
      for (int i = 0; i < N; ++i) good &= long_to[p * N + i] == 2 * p * 1000 + i;
    shmem_barrier(0, 1, evens, pSync[0]);
  }
  verify("fcollect64 of every other PE", good);
  good = 1;
  int at = 0;
  shmem_collect32(to, from, me % 3, 0, 0, npes, pSync[1]);
  for (int p = 0; p < npes; ++p)
    for (int i = 0; i < p % 3; ++i) good &= to[at++] == p * 100 + i;
  verify("collect32 of different lengths", good);
  good = 1;
  for (int i = 0; i < N; ++i) parts[i] = (me + i) % 5 + 1;
  shmem_barrier_all();
  shmem_int_max_to_all(sums, parts, N, 0, 0, npes, (int*)pWrk, pSync[0]);
  for (int i = 0; i < N; ++i) {
    int most = 0;
    for (int p = 0; p < npes; ++p)
      if ((p + i) % 5 + 1 > most) most = (p + i) % 5 + 1;
    good &= sums[i] == most;
  }
  shmem_barrier_all();
  shmem_int_xor_to_all(parts, parts, N, 0, 0, npes, (int*)pWrk, pSync[1]); /* in place */
  for (int i = 0; i < N; ++i) {
    int bits = 0;
    for (int p = 0; p < npes; ++p) bits ^= (p + i) % 5 + 1;
    good &= parts[i] == bits;
  }
  verify("max_to_all, xor_to_all", good);
}

/* ---- one word for all processes ---- */
static int counter, seen[MOST_PES], swapped = 1000;
static long long_counter, turn, the_lock, guarded;
static long long wide = 5;

static void atomics(void) {
  int good = 1;
  for (int i = 0; i < 3; ++i) {
    const int before = shmem_int_finc(&counter, 0);
    shmem_int_p(&seen[before / 3 % MOST_PES], 1, 0);
    shmem_long_add(&long_counter, me + 1, npes - 1);
  }
  shmem_barrier_all();
  good &= me != 0 || counter == 3 * npes;
  good &= me != npes - 1 || long_counter == 3L * npes * (npes + 1) / 2;
  for (int p = 0; p < npes && me == 0; ++p) good &= seen[p] == 1;
  verify("finc, add", good);
  const int had = shmem_int_swap(&swapped, me, (me + 1) % npes);
  shmem_barrier_all();
  good = had == 1000 && swapped == (me + npes - 1) % npes;
  const long long was = shmem_longlong_cswap(&wide, 5, 6 + me, 0);
  shmem_barrier_all();
  good &= was >= 5 && shmem_longlong_fadd(&wide, 0, 0) == shmem_longlong_g(&wide, 0) && shmem_longlong_g(&wide, 0) > 5;
  verify("swap, cswap, fadd", good);
  /* One after another, by waiting for a turn; and in any order, by a lock. */
  if (me > 0) shmem_long_wait_until(&turn, SHMEM_CMP_EQ, me);
  if (me + 1 < npes) shmem_long_p(&turn, me + 1, me + 1);
  for (int i = 0; i < 2; ++i) {
    if (i == 0)
      shmem_set_lock(&the_lock);
    else
      while (shmem_test_lock(&the_lock)) continue;
    shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
    shmem_clear_lock(&the_lock);
  }
  shmem_barrier_all();
  verify("wait_until, locks", shmem_long_g(&guarded, 0) == 2 * npes && (me == 0 || turn == me));
}

int main(int argc, char** argv) {
  (void)argc, (void)argv;
  for (size_t i = 0; i < sizeof *pSync / sizeof **pSync; ++i) pSync[0][i] = pSync[1][i] = _SHMEM_SYNC_VALUE;
  start_pes(0);
  me = _my_pe();
  npes = _num_pes();
  EACH_TYPE(TRY)
  sizes();
  sets();
  atomics();
  int major, minor;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  verify("version and name", major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && strlen(name) > 0);
  verify("shmem_ptr of oneself", shmem_ptr(&counter, me) == &counter);
  if (me == 0 && failures == 0) printf("PASS verification on %d PEs\n", npes);
  return failures != 0;
}
