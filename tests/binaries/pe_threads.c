/* OpenSHMEM with SHMEM_THREAD_MULTIPLE: threads of each PE that put with signals, add and wait at once, each on a
 * context of its own, one of them in collective calls of a team. For RISC-V: a native process has one thread. */
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(good) \
  if (!(good)) fprintf(stderr, "PE %d, line %d: not so: %s\n", me, __LINE__, #good), shmem_global_exit(1)

static int me, npes;

enum { THREADS = 4, ROUNDS = 25, WORDS = 40 };
static long data[THREADS][WORDS], counters[THREADS], total, sums[1], ones[1] = {1};
static uint64_t signals[THREADS], answers[THREADS];

static void* run(void* argument) {
  const int self = (int)(intptr_t)argument, next_pe = (me + 1) % npes, previous_pe = (me + npes - 1) % npes;
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
  for (int round = 1; round <= ROUNDS; ++round) {
    long source[WORDS], fetched = -1;
    for (int i = 0; i < WORDS; ++i) source[i] = 1000000L * me + 10000 * self + 100 * round + i;
    shmem_ctx_long_put_signal_nbi(ctx, data[self], source, WORDS, &signals[self], 1, SHMEM_SIGNAL_ADD, next_pe);
    shmem_ctx_long_atomic_fetch_add_nbi(ctx, &fetched, &counters[self], round, next_pe);
    shmem_ctx_quiet(ctx);
    CHECK(fetched == (long)round * (round - 1) / 2);
    CHECK(shmem_signal_wait_until(&signals[self], SHMEM_CMP_EQ, (uint64_t)round) == (uint64_t)round);
    for (int i = 0; i < WORDS; ++i) CHECK(data[self][i] == 1000000L * previous_pe + 10000 * self + 100 * round + i);
    shmem_ctx_long_atomic_inc(ctx, &total, 0);
    /* The sender may write again. */
    shmem_ctx_uint64_atomic_set(ctx, &answers[self], (uint64_t)round, previous_pe);
    shmem_ctx_quiet(ctx);
    shmem_uint64_wait_until(&answers[self], SHMEM_CMP_GE, (uint64_t)round);
    if (self == 0) CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, ones, 1) == 0 && sums[0] == npes);
  }
  shmem_ctx_destroy(ctx);
  return NULL;
}

int main(void) {
  int provided = -1, queried = -1;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  me = shmem_my_pe(), npes = shmem_n_pes();
  shmem_query_thread(&queried);
  CHECK(provided == SHMEM_THREAD_MULTIPLE && queried == provided);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) CHECK(pthread_create(&threads[i], NULL, run, (void*)(intptr_t)i) == 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  shmem_barrier_all();
  CHECK(me != 0 || total == (long)npes * THREADS * ROUNDS);
  if (me == 0) printf("PASS threads on %d PEs\n", npes);
  shmem_finalize();
  return 0;
}
