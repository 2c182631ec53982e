/* Conflicts of accesses to windows. */
#include "tests/mistakes/mistakes.h"

CASE two_puts(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank < 2) MPI_Put(&v, 1, MPI_INT, 2, wrong ? 0 : rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE put_and_get(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 1) MPI_Get(&v, 1, MPI_INT, 2, 3, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE put_and_accumulate(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 4, 1, MPI_INT, window);
  if (rank == 1) MPI_Accumulate(&v, 1, MPI_INT, 2, wrong ? 4 : 5, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
}
CASE other_accumulations(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  MPI_Accumulate(&v, 1, MPI_INT, 2, 6, 1, MPI_INT, wrong && rank == 1 ? MPI_MAX : MPI_SUM, window);
  MPI_Win_fence(0, window);
}
CASE put_changed(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 7, 1, MPI_INT, window);
  if (wrong) v = 99;
  MPI_Win_fence(0, window);
}
CASE gets_into_one(int wrong) {
  int v[2];
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v[0], 1, MPI_INT, 1, 8, 1, MPI_INT, window);
  if (rank == 0) MPI_Get(&v[wrong ? 0 : 1], 1, MPI_INT, 2, 8, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE get_not_over(int wrong) {
  int v = 0;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v, 1, MPI_INT, 1, 9, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, W);
  if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 1, W, NO);
  MPI_Win_fence(0, window);
}
CASE stored_and_put(int wrong) {
  int v = 5;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 10, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 2 && wrong)
    for (volatile int* at = &memory[10]; *at != 5;) MPI_Win_sync(window);
  if (rank == 2) memory[10] = 6;
  MPI_Win_fence(0, window);
  memory[10] = 0;
  MPI_Win_fence(0, window);
}
CASE types_of_put(int wrong) {
  int v = rank;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 11, 1, wrong ? MPI_FLOAT : MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE puts_in_shared_locks(int wrong) {
  int v = rank;
  if (rank < 2) {
    MPI_Win_lock(wrong ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 2, 0, window);
    MPI_Put(&v, 1, MPI_INT, 2, 12, 1, MPI_INT, window);
    MPI_Win_unlock(2, window);
  }
  meet();
}
CASE puts_without_flush(int wrong) {
  int v[2] = {1, 2};
  MPI_Win_lock_all(0, window);
  if (rank == 0) MPI_Put(&v[0], 1, MPI_INT, 2, 13, 1, MPI_INT, window);
  if (!wrong) MPI_Win_flush(2, window);
  if (rank == 0) MPI_Put(&v[1], 1, MPI_INT, 2, 13, 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  meet();
}
CASE puts_of_groups(int wrong) {
  int v = rank;
  MPI_Group all, group;
  const int sources[2] = {0, 1}, target = 2;
  MPI_Comm_group(W, &all);
  MPI_Group_incl(all, rank == 2 ? 2 : 1, rank == 2 ? sources : &target, &group);
  if (rank == 2) MPI_Win_post(group, 0, window);
  if (rank < 2) {
    MPI_Win_start(group, 0, window);
    MPI_Put(&v, 1, MPI_INT, 2, wrong ? 14 : 14 + rank, 1, MPI_INT, window);
    MPI_Win_complete(window);
  }
  if (rank == 2) MPI_Win_wait(window);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}
CASE characters_accumulated(int wrong) {
  const signed char v = 1;
  MPI_Datatype type = wrong ? MPI_CHAR : MPI_SIGNED_CHAR;
  MPI_Win_fence(0, window);
  MPI_Accumulate(&v, 1, type, 0, 19, 1, type, MPI_SUM, window);
  MPI_Win_fence(0, window);
}

const struct mistake windows[] = {
    GOES_ON(two_puts),
    GOES_ON(put_and_get),
    GOES_ON(put_and_accumulate),
    GOES_ON(other_accumulations),
    GOES_ON(put_changed),
    GOES_ON(gets_into_one),
    GOES_ON(get_not_over),
    GOES_ON(stored_and_put),
    GOES_ON(types_of_put),
    GOES_ON(puts_in_shared_locks),
    GOES_ON(puts_without_flush),
    GOES_ON(puts_of_groups),
    GOES_ON(characters_accumulated),
    {NULL, NULL, 0},
};
