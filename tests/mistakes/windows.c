/* Conflicts of accesses to windows. */
#include "tests/mistakes/mistakes.h"

#include <stdlib.h>

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
/* ---- what memory itself tells ---- */
CASE stored_while_read(int wrong) {
  int v = 0;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v, 1, MPI_INT, 2, 20, 1, MPI_INT, window);
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 2) memory[20] = wrong ? 7 : 8;
  MPI_Win_fence(0, window);
}
CASE stored_while_locked(int wrong) {
  int v = 0;
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    MPI_Get(&v, 1, MPI_INT, 2, 21, 1, MPI_INT, window);
    MPI_Send(NULL, 0, MPI_BYTE, 2, 1, W);
    MPI_Recv(NULL, 0, MPI_BYTE, 2, 1, W, NO);
    MPI_Win_unlock(2, window);
    MPI_Send(NULL, 0, MPI_BYTE, 2, 1, W);
  }
  if (rank == 2) {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, W, NO);
    if (wrong) memory[21] = 7;
    MPI_Send(NULL, 0, MPI_BYTE, 0, 1, W);
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, W, NO);
    if (!wrong) memory[21] = 8;
  }
}
CASE got_and_written(int wrong) {
  int v = 0;
  memory[22] = 5;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Get(&v, 1, MPI_INT, 2, 22, 1, MPI_INT, window);
  if (rank == 0 && wrong)
    for (volatile int* at = &v; *at != 5;) MPI_Win_sync(window);
  if (rank == 0 && wrong) v = 6;
  MPI_Win_fence(0, window);
  memory[22] = 0;
  MPI_Win_fence(0, window);
}
/* ---- accumulations ---- */
CASE sums_of_other_types(int wrong) {
  const int i = 1;
  const float f = 1;
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Accumulate(&i, 1, MPI_INT, 2, 23, 1, MPI_INT, MPI_SUM, window);
  if (rank == 1 && wrong) MPI_Accumulate(&f, 1, MPI_FLOAT, 2, 23, 1, MPI_FLOAT, MPI_SUM, window);
  if (rank == 1 && !wrong) MPI_Accumulate(&i, 1, MPI_INT, 2, 23, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
}
CASE no_operation(int wrong) {
  int v = 1, before;
  MPI_Win_fence(0, window);
  if (wrong)
    MPI_Accumulate(&v, 1, MPI_INT, 2, 24, 1, MPI_INT, MPI_NO_OP, window);
  else
    MPI_Get_accumulate(NULL, 0, MPI_INT, &before, 1, MPI_INT, 2, 24, 1, MPI_INT, MPI_NO_OP, window);
  MPI_Win_fence(0, window);
}
/* ---- assertions ---- */
CASE put_after_all(int wrong) {
  const int v = rank;
  MPI_Win_fence(rank == 2 && wrong ? MPI_MODE_NOPUT : 0, window);
  if (rank == 0) MPI_Put(&v, 1, MPI_INT, 2, 25, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
CASE put_into_a_group(int wrong) {
  const int partner = 1 - rank, v = rank;
  MPI_Group all, group;
  if (rank > 1) return;
  MPI_Comm_group(W, &all);
  MPI_Group_incl(all, 1, &partner, &group);
  if (rank == 1) {
    MPI_Win_post(group, wrong ? MPI_MODE_NOPUT : 0, window);
    MPI_Win_wait(window);
  } else {
    MPI_Win_start(group, 0, window);
    MPI_Put(&v, 1, MPI_INT, 1, 26, 1, MPI_INT, window);
    MPI_Win_complete(window);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}
CASE stored_after_all(int wrong) {
  MPI_Win_fence(0, window);
  if (rank == 2) ++memory[27];
  MPI_Win_fence(wrong ? MPI_MODE_NOSTORE : 0, window);
}
CASE preceded_for_some(int wrong) {
  MPI_Win_fence(rank == 2 && wrong ? MPI_MODE_NOPRECEDE : 0, window);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
}
CASE not_posted(int wrong) {
  const int partner = 1 - rank;
  MPI_Group all, group;
  MPI_Win own;
  MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, W, &own);
  if (rank < 2) {
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, 1, &partner, &group);
    if (rank == 1 && !wrong) MPI_Win_post(group, MPI_MODE_NOCHECK, own);
    if (rank == 1) MPI_Send(NULL, 0, MPI_BYTE, 0, 1, W);
    if (rank == 0) {
      MPI_Recv(NULL, 0, MPI_BYTE, 1, 1, W, NO);
      MPI_Win_start(group, MPI_MODE_NOCHECK, own);
      MPI_Win_complete(own);
      if (wrong) MPI_Send(NULL, 0, MPI_BYTE, 1, 1, W);
    } else {
      if (wrong) MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, W, NO);
      if (wrong) MPI_Win_post(group, MPI_MODE_NOCHECK, own);
      MPI_Win_wait(own);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
  }
  MPI_Win_free(&own);
}
CASE locked_unchecked(int wrong) {
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, window);
    if (wrong) MPI_Send(NULL, 0, MPI_BYTE, 1, 1, W);
    if (wrong) MPI_Recv(NULL, 0, MPI_BYTE, 1, 1, W, NO);
    MPI_Win_unlock(2, window);
    if (!wrong) MPI_Send(NULL, 0, MPI_BYTE, 1, 1, W);
  }
  if (rank == 1) {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, W, NO);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, MPI_MODE_NOCHECK, window);
    if (wrong) MPI_Send(NULL, 0, MPI_BYTE, 0, 1, W);
    MPI_Win_unlock(2, window);
  }
}
/* ---- memory that is gone ---- */
__attribute__((noinline)) static void make_of_own(int* of_caller, MPI_Win* made) {
  int of_function[4] = {0};
  MPI_Win_create(of_caller ? of_caller : of_function, sizeof of_function, 1, MPI_INFO_NULL, W, made);
}
CASE returned_before_free(int wrong) {
  int of_caller[4];
  MPI_Win made;
  make_of_own(wrong ? NULL : of_caller, &made);
  MPI_Win_fence(0, made);
  MPI_Win_free(&made);
}
CASE released_before_free(int wrong) {
  int* const some = calloc(1 << 18, sizeof *some);
  MPI_Win made;
  MPI_Win_create(some, sizeof *some, 1, MPI_INFO_NULL, W, &made);
  if (wrong) free(some);
  MPI_Win_free(&made);
  if (!wrong) free(some);
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
    GOES_ON(stored_while_read),
    GOES_ON(stored_while_locked),
    GOES_ON(got_and_written),
    GOES_ON(sums_of_other_types),
    GOES_ON(no_operation),
    GOES_ON(put_after_all),
    GOES_ON(put_into_a_group),
    GOES_ON(stored_after_all),
    GOES_ON(preceded_for_some),
    GOES_ON(not_posted),
    GOES_ON(locked_unchecked),
    GOES_ON(returned_before_free),
    GOES_ON(released_before_free),
    {NULL, NULL, 0},
};
