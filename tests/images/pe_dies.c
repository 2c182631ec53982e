/* PEs that wait for the last one when its node dies, as in partner_dies.c: the job ends. */
#include <mpi.h>
#include <shmem.h>
#include <string.h>
#include <unistd.h>

#define WORDS (1 << 15)
static long words[WORDS], others[WORDS];

int main(int argc, char** argv) {
  shmem_init();
  const char* what = argc > 1 ? argv[1] : "get";
  const int dead = shmem_n_pes() - 1;
  if (shmem_my_pe() == dead) sleep(100);
  usleep((useconds_t)(200000 - 1e6 * MPI_Wtime()));
  if (strcmp(what, "get") == 0) {
    shmem_long_get(words, others, WORDS, dead);
  } else if (strcmp(what, "put") == 0) {
    shmem_long_put(words, others, WORDS, dead);
    shmem_quiet();
  } else if (strcmp(what, "small") == 0) {
    for (int i = 0; i < 100; ++i) shmem_long_p(&words[i], 1, dead);
    shmem_quiet();
  } else if (strcmp(what, "atomic") == 0) {
    shmem_long_atomic_fetch_add(&words[0], 1, dead);
  } else {
    shmem_barrier_all();
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
