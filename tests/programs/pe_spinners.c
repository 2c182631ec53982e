/* Many PEs add to one word and read it, again and again: the thread that does their atomic operations always has
 * something to do, for longer than a thread may run without a break.
 *
 *   pe_spinners [LOOKS of each]
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { ADDS = 16 };
static long lock, word;

int main(int argc, char** argv) {
  const int looks = argc > 1 ? atoi(argv[1]) : 200;
  long seen = 0;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), home = npes > 1;
  for (int i = 0; i < looks; ++i) {
    for (int j = 0; j < ADDS; ++j) shmem_long_atomic_inc(&word, home);
    const long now = shmem_long_atomic_fetch(&word, home);
    if (now < seen + ADDS) shmem_global_exit(1); /* its own ones come before */
    seen = now;
    if (i % 10 == 0 && shmem_test_lock(&lock) == 0) shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  if (me == home && word != (long)npes * looks * ADDS) shmem_global_exit(2);
  if (me == 0) printf("PASS pe_spinners on %d processing elements\n", npes);
  shmem_finalize();
  return 0;
}
