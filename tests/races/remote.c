/* Two accesses to a window, in each kind of epoch. */
#include "tests/races/races.h"

/* ---- fences: both in one epoch, or in two ---- */
#define FENCE(pair, by, first, second)    \
  CASE fence_##pair(int wrong) {          \
    MPI_Win_fence(0, window);             \
    if (rank == 0) first;                 \
    if (!wrong) MPI_Win_fence(0, window); \
    if (rank == (by)) second;             \
    MPI_Win_fence(0, window);             \
  }
/* The owner's access comes first, in the epoch of the other. */
#define FENCE_BEFORE(pair, by, first, second) \
  CASE before_##pair(int wrong) {             \
    MPI_Win_fence(0, window);                 \
    if (rank == (by)) second;                 \
    if (!wrong) MPI_Win_fence(0, window);     \
    if (rank == 0) first;                     \
    MPI_Win_fence(0, window);                 \
  }

/* ---- groups: the second in the exposure epoch, or after it ---- */
#define GROUP(pair, by, first, second)                                                                        \
  CASE group_##pair(int wrong) {                                                                              \
    const int origins[2] = {0, 2}, target = 1;                                                                \
    MPI_Group all, group;                                                                                     \
    MPI_Comm_group(W, &all);                                                                                  \
    MPI_Group_incl(all, rank == 1 ? ((by) == 2 && wrong ? 2 : 1) : 1, rank == 1 ? origins : &target, &group); \
    if (rank == 1) {                                                                                          \
      MPI_Win_post(group, 0, window);                                                                         \
      if ((by) == 1 && wrong) second;                                                                         \
      MPI_Win_wait(window);                                                                                   \
      if ((by) == 1 && !wrong) second;                                                                        \
    }                                                                                                         \
    if (rank == 0) {                                                                                          \
      MPI_Win_start(group, 0, window);                                                                        \
      first;                                                                                                  \
      MPI_Win_complete(window);                                                                               \
    }                                                                                                         \
    if (rank == 2 && (by) == 2 && wrong) {                                                                    \
      MPI_Win_start(group, 0, window);                                                                        \
      second;                                                                                                 \
      MPI_Win_complete(window);                                                                               \
    }                                                                                                         \
    MPI_Group_free(&group);                                                                                   \
    MPI_Group_free(&all);                                                                                     \
  }

/* ---- locks: shared, or exclusive; the owner locks its own memory ---- */
#define LOCK(pair, by, first, second)                                           \
  CASE lock_##pair(int wrong) {                                                 \
    if (rank == 0 || rank == (by)) {                                            \
      MPI_Win_lock(wrong ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 1, 0, window); \
      if (rank == 0) first;                                                     \
      if (rank == (by)) second;                                                 \
      MPI_Win_unlock(1, window);                                                \
    }                                                                           \
    meet();                                                                     \
  }
/* The owner takes no lock. */
#define NO_LOCK(pair, by, first, second)                                                       \
  CASE no_lock_##pair(int wrong) {                                                             \
    if (rank == 0 || (rank == (by) && !wrong)) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window); \
    if (rank == 0) first;                                                                      \
    if (rank == (by)) second;                                                                  \
    if (rank == 0 || (rank == (by) && !wrong)) MPI_Win_unlock(1, window);                      \
    meet();                                                                                    \
  }

/* ---- flushes and barriers: one of the two is left out ---- */
#define FLUSH(pair, by, first, second)                 \
  CASE flush_##pair(int wrong) {                       \
    MPI_Win_lock_all(0, window);                       \
    if (rank == 0) first;                              \
    if (rank == 0 && !wrong) MPI_Win_flush(1, window); \
    meet();                                            \
    if (rank == (by)) second;                          \
    MPI_Win_unlock_all(window);                        \
    meet();                                            \
  }
#define FLUSH_LOCAL(pair, by, first, second)                                          \
  CASE flush_local_##pair(int wrong) {                                                \
    MPI_Win_lock_all(0, window);                                                      \
    if (rank == 0) first;                                                             \
    if (rank == 0) wrong ? MPI_Win_flush_local(1, window) : MPI_Win_flush(1, window); \
    meet();                                                                           \
    if (rank == (by)) second;                                                         \
    MPI_Win_unlock_all(window);                                                       \
    meet();                                                                           \
  }
#define BARRIER(pair, by, first, second)     \
  CASE barrier_##pair(int wrong) {           \
    MPI_Win_lock_all(0, window);             \
    if (rank == 0) first;                    \
    if (rank == 0) MPI_Win_flush(1, window); \
    if (!wrong) meet();                      \
    if (rank == (by)) second;                \
    MPI_Win_unlock_all(window);              \
    meet();                                  \
  }

#define IN_EACH(pair, by, first, second) \
  FENCE(pair, by, first, second)         \
  GROUP(pair, by, first, second)         \
  LOCK(pair, by, first, second)          \
  FLUSH(pair, by, first, second)         \
  FLUSH_LOCAL(pair, by, first, second)   \
  BARRIER(pair, by, first, second)
#define OF_OWNER(pair, first, second)  \
  IN_EACH(pair, 1, first, second)      \
  FENCE_BEFORE(pair, 1, first, second) \
  NO_LOCK(pair, 1, first, second)

OF_OWNER(put_load, PUT, LOAD)
OF_OWNER(put_store, PUT, STORE)
OF_OWNER(get_store, GET, STORE)
OF_OWNER(add_load, ADD, LOAD)
OF_OWNER(add_store, ADD, STORE)
OF_OWNER(fetch_store, FETCH, STORE)
IN_EACH(put_put, 2, PUT, PUT)
IN_EACH(put_get, 2, PUT, GET)
IN_EACH(get_put, 2, GET, PUT)
IN_EACH(put_add, 2, PUT, ADD)
IN_EACH(get_add, 2, GET, ADD)
IN_EACH(add_maximum, 2, ADD, MAXIMUM)

/* ---- one origin, which does not wait for the first ---- */
#define TWICE(pair, first, second)          \
  CASE twice_##pair(int wrong) {            \
    MPI_Win_lock_all(0, window);            \
    if (rank == 0) {                        \
      first;                                \
      if (!wrong) MPI_Win_flush(1, window); \
      own[8] = 5;                           \
      second;                               \
    }                                       \
    MPI_Win_unlock_all(window);             \
    meet();                                 \
  }
#define OTHER_PUT MPI_Put(own + 8, 1, MPI_INT, 1, 0, 1, MPI_INT, window)
#define OTHER_GET MPI_Get(own + 8, 1, MPI_INT, 1, 0, 1, MPI_INT, window)
#define OTHER_ADD MPI_Accumulate(own + 8, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window)
TWICE(put_put, PUT, OTHER_PUT)
TWICE(put_get, PUT, OTHER_GET)
TWICE(get_put, GET, OTHER_PUT)
TWICE(put_add, PUT, OTHER_ADD)

#define EACH_NAME(pair)                                                                         \
  {"fence_" #pair, fence_##pair}, {"group_" #pair, group_##pair}, {"lock_" #pair, lock_##pair}, \
      {"flush_" #pair, flush_##pair}, {"flush_local_" #pair, flush_local_##pair}, {             \
    "barrier_" #pair, barrier_##pair                                                            \
  }
#define OWNERS_NAME(pair) \
  EACH_NAME(pair), {"before_" #pair, before_##pair}, { "no_lock_" #pair, no_lock_##pair }

const struct race remote_races[] = {
    OWNERS_NAME(put_load),
    OWNERS_NAME(put_store),
    OWNERS_NAME(get_store),
    OWNERS_NAME(add_load),
    OWNERS_NAME(add_store),
    OWNERS_NAME(fetch_store),
    EACH_NAME(put_put),
    EACH_NAME(put_get),
    EACH_NAME(get_put),
    EACH_NAME(put_add),
    EACH_NAME(get_add),
    EACH_NAME(add_maximum),
    {"twice_put_put", twice_put_put},
    {"twice_put_get", twice_put_get},
    {"twice_get_put", twice_get_put},
    {"twice_put_add", twice_put_add},
    {NULL, NULL},
};
