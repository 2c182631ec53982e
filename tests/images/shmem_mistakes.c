/* Mistakes of OpenSHMEM programs, selected by the first argument. Each ends the job with a message. */
#include "tests/images/shmem_expect.h"

static int word, other;
static uint64_t signal_word[2];
static const int constant = 5;

/* Of teams, contexts and signals. */
static void of_teams(const char* what) {
  const int all = shmem_n_pes(), me = shmem_my_pe();
  shmem_team_t team = SHMEM_TEAM_WORLD, nothing;
  shmem_ctx_t context = SHMEM_CTX_DEFAULT;
  shmem_team_config_t config;
  uint64_t later;
  size_t index = 0;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team);
  if (team != SHMEM_TEAM_INVALID) shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &context);
  if (strcmp(what, "not-member") == 0 && me == 2) shmem_team_sync(team);
  if (strcmp(what, "team-number") == 0) shmem_team_n_pes((shmem_team_t)&word);
  if (strcmp(what, "context-number") == 0) shmem_ctx_quiet((shmem_ctx_t)&word);
  if (strcmp(what, "context-invalid") == 0) shmem_ctx_int_p(SHMEM_CTX_INVALID, &word, 1, 0);
  if (strcmp(what, "world") == 0) shmem_team_destroy(SHMEM_TEAM_WORLD);
  if (strcmp(what, "default") == 0) shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
  if (strcmp(what, "options") == 0) shmem_ctx_create(64, &context);
  if (strcmp(what, "null-context") == 0) shmem_ctx_create(0, NULL);
  if (strcmp(what, "null-team") == 0) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, NULL);
  if (strcmp(what, "mask") == 0) shmem_team_get_config(SHMEM_TEAM_WORLD, 2, &config);
  if (strcmp(what, "no-config") == 0) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 1, &nothing);
  if (strcmp(what, "operation") == 0) shmem_int_put_signal(&word, &other, 1, signal_word, 1, 2, 0);
  if (strcmp(what, "signal-stack") == 0) shmem_int_put_signal_nbi(&word, &other, 1, &later, 1, SHMEM_SIGNAL_SET, 0);
  if (strcmp(what, "signal-aligned") == 0)
    shmem_putmem_signal(&word, &other, 4, (uint64_t*)((char*)signal_word + 4), 1, SHMEM_SIGNAL_ADD, 0);
  if (strcmp(what, "signal-fetch") == 0) shmem_signal_fetch(&later);
  if (strcmp(what, "constant") == 0) shmem_int_p((int*)&constant, 1, 0);
  if (strcmp(what, "constant-atomic") == 0) shmem_int_atomic_inc((int*)&constant, 0);
  if (strcmp(what, "null-fetch") == 0) shmem_int_atomic_fetch_inc_nbi(NULL, &word, 0);
  if (strcmp(what, "hints") == 0) shmem_malloc_with_hints(8, 32);
  if (strcmp(what, "align") == 0) shmem_align(24, 8);
  if (strcmp(what, "align-huge") == 0 && shmem_align((size_t)1 << 40, 8) == NULL) shmem_global_exit(3);
  if (strcmp(what, "many-comparison") == 0) shmem_int_wait_until_any(&word, 1, NULL, 9, 0);
  if (strcmp(what, "many-indices") == 0) shmem_int_test_some(&word, 1, NULL, NULL, SHMEM_CMP_EQ, 0);
  if (strcmp(what, "many-values") == 0) shmem_int_test_some_vector(&word, 1, &index, NULL, SHMEM_CMP_EQ, NULL);
  if (strcmp(what, "many-variables") == 0) shmem_int_test_all(NULL, 1, NULL, SHMEM_CMP_EQ, 0);
  if (strcmp(what, "triplet") == 0 && shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, all, NULL, 0, &nothing) != 0)
    shmem_global_exit(nothing == SHMEM_TEAM_INVALID ? 3 : 4);
  if (strcmp(what, "range") == 0 && shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &nothing) != 0)
    shmem_global_exit(nothing == SHMEM_TEAM_INVALID ? 3 : 4);
  if (team == SHMEM_TEAM_INVALID) return;
  if (strcmp(what, "team-root") == 0) shmem_int_broadcast(team, &word, &other, 1, 2);
  if (strcmp(what, "team-stack") == 0) shmem_int_fcollect(team, &word, (int*)&later, 1);
  if (strcmp(what, "context-pe") == 0) shmem_ctx_int_p(context, &word, 1, 2);
  if (strcmp(what, "private") == 0) shmem_team_destroy(team);
  shmem_ctx_destroy(context);
  if (strcmp(what, "destroyed-context") == 0) shmem_ctx_int_get(context, &word, &other, 1, 0);
  if (strcmp(what, "twice-context") == 0) shmem_ctx_destroy(context);
  shmem_team_destroy(team);
  if (strcmp(what, "destroyed-team") == 0) shmem_int_sum_reduce(team, &word, &other, 1);
  if (strcmp(what, "twice-team") == 0) shmem_team_destroy(team);
  if (strcmp(what, "reused-team") == 0) {
    shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1, 1, NULL, 0, &nothing); /* in the place of the destroyed one */
    shmem_team_my_pe(team);
  }
}
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
  of_teams(what);
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
