/* PEs of which the last one is on a node that no longer answers: put, get, wait or barrier must end the job. */
#include <shmem.h>
#include <string.h>

static long word;

int main(int argc, char** argv) {
  shmem_init();
  const char* what = argc > 1 ? argv[1] : "get";
  const int dead = shmem_n_pes() - 1;
  if (shmem_my_pe() != dead) {
    if (strcmp(what, "get") == 0) {
      word = shmem_long_g(&word, dead);
    } else if (strcmp(what, "put") == 0) {
      shmem_long_p(&word, 1, dead);
      shmem_quiet();
    } else if (strcmp(what, "until") == 0) {
      shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
    } else {
      shmem_barrier_all();
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
