/* OpenSHMEM: a ring of puts, pi, strided puts, a counter incremented by all, a lock. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE], collect_sync[SHMEM_COLLECT_SYNC_SIZE];
static double reduce_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], part, pi;
static int arrived = -1, counter, guarded;
static long lock;
static short spread[20];

#define CHECK(good) \
  if (!(good)) printf("PE %d, line %d: not so: %s\n", me, __LINE__, #good), shmem_global_exit(1)

int main(void) {
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) reduce_sync[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; ++i) collect_sync[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
  shmem_barrier_all();
  if (me == 0) shmem_int_p(&arrived, 0, next);
  shmem_int_wait_until(&arrived, SHMEM_CMP_GE, 0);
  if (me != 0) shmem_int_p(&arrived, arrived + 1, next);
  shmem_barrier_all();
  CHECK(arrived == (me + npes - 1) % npes);

  const int steps = 10000;
  for (int i = me; i < steps; i += npes) part += 4.0 / (1.0 + (i + 0.5) / steps * (i + 0.5) / steps) / steps;
  shmem_double_sum_to_all(&pi, &part, 1, 0, 0, npes, reduce_work, reduce_sync);
  CHECK(pi > 3.14159 && pi < 3.1416);

  static short source[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  shmem_short_iput(spread, source, 2, 1, 10, next);
  shmem_barrier_all();
  for (int i = 0; i < 20; ++i) CHECK(spread[i] == (i % 2 ? 0 : i / 2 + 1));

  for (int i = 0; i < 5; ++i) shmem_int_atomic_inc(&counter, 0);
  shmem_barrier_all();
  CHECK(shmem_int_g(&counter, 0) == 5 * npes);

  for (int i = 0; i < 3; ++i) {
    shmem_set_lock(&lock);
    const int seen = shmem_int_g(&guarded, 0);
    shmem_int_p(&guarded, seen + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(shmem_int_g(&guarded, 0) == 3 * npes);

  long *all = shmem_malloc(npes * sizeof *all), *own = shmem_malloc(sizeof *own);
  *own = me * 11;
  shmem_barrier_all();
  shmem_fcollect64(all, own, 1, 0, 0, npes, collect_sync);
  for (int i = 0; i < npes; ++i) CHECK(all[i] == i * 11);
  shmem_free(own);
  shmem_free(all);
  if (me == 0) printf("PASS\n");
  shmem_finalize();
  return 0;
}
