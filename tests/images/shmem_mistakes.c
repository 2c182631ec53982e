/* Mistakes of OpenSHMEM programs, selected by the first argument. Each ends the job with a message. */
#include "tests/images/shmem_expect.h"

static int word, other;
static long lock;
static long sync_words[8];

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "not-started") == 0) shmem_quiet();
  shmem_init();
  int local = 0;
  int* heap = shmem_malloc(sizeof *heap);
  const int all = shmem_n_pes();
  if (strcmp(what, "stack") == 0) shmem_int_p(&local, 1, 0);
  if (strcmp(what, "malloc") == 0) shmem_int_get(&local, malloc(4), 1, 0);
  if (strcmp(what, "null") == 0) shmem_int_put(shmem_malloc(1ul << 40), &local, 1, 0);
  if (strcmp(what, "beyond") == 0) shmem_int_get(&local, heap, 1ul << 30, 0);
  if (strcmp(what, "pe") == 0) shmem_int_p(&word, 1, all);
  if (strcmp(what, "negative-pe") == 0) shmem_long_atomic_inc(&lock, -1);
  if (strcmp(what, "stride") == 0) shmem_int_iput(&word, &local, 0, 1, 1, 0);
  if (strcmp(what, "set") == 0) shmem_barrier(0, 1, all, sync_words);
  if (strcmp(what, "outside") == 0)
    shmem_int_sum_to_all(&word, &other, 1, (shmem_my_pe() + 1) % all, 0, 1, &local, sync_words);
  if (strcmp(what, "root") == 0) shmem_broadcast32(&word, &other, 1, all, 0, 0, all, sync_words);
  if (strcmp(what, "free") == 0) shmem_free(heap + 1);
  if (strcmp(what, "twice") == 0) shmem_free(heap), shmem_free(heap);
  if (strcmp(what, "unaligned") == 0) shmem_int_atomic_inc((int*)((char*)&lock + 1), 0);
  if (strcmp(what, "lock") == 0) shmem_set_lock(&lock), shmem_set_lock(&lock);
  if (strcmp(what, "clear") == 0) shmem_clear_lock(&lock);
  if (strcmp(what, "comparison") == 0) shmem_int_wait_until(&word, 17, 1);
  if (strcmp(what, "exit") == 0 && shmem_my_pe() == all - 1) shmem_global_exit(7);
  if (strcmp(what, "exit") == 0 || strcmp(what, "exit-well") == 0) {
    if (shmem_my_pe() == 0 && strcmp(what, "exit-well") == 0) puts("PASS");
    if (shmem_my_pe() == 0 && strcmp(what, "exit-well") == 0) shmem_global_exit(0);
    shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1); /* waits for ever */
  }
  shmem_finalize();
  if (strcmp(what, "ended") == 0) shmem_int_p(&word, 1, 0);
  puts("ended well");
  return 0;
}
