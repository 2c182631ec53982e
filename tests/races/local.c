/* The origin's buffer, before the operation is complete. */
#include "tests/races/races.h"

#define OWN_LOAD sink = ((volatile int*)own)[0]
#define OWN_STORE ((volatile int*)own)[0] = 99

#define LOCAL_FENCE(pair, first, second) \
  CASE local_fence_##pair(int wrong) {   \
    MPI_Win_fence(0, window);            \
    if (rank == 0) first;                \
    if (rank == 0 && wrong) second;      \
    MPI_Win_fence(0, window);            \
    if (rank == 0 && !wrong) second;     \
  }
#define LOCAL_LOCK(pair, first, second)             \
  CASE local_lock_##pair(int wrong) {               \
    if (rank != 0) return;                          \
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window); \
    first;                                          \
    if (wrong) second;                              \
    MPI_Win_unlock(1, window);                      \
    if (!wrong) second;                             \
  }
#define LOCAL_FLUSH(pair, first, second)                     \
  CASE local_flush_##pair(int wrong) {                       \
    MPI_Win_lock_all(0, window);                             \
    if (rank == 0) first;                                    \
    if (rank == 0 && !wrong) MPI_Win_flush_local(1, window); \
    if (rank == 0) second;                                   \
    MPI_Win_unlock_all(window);                              \
  }
#define LOCAL_GROUP(pair, first, second)      \
  CASE local_group_##pair(int wrong) {        \
    const int partner = 1 - rank;             \
    MPI_Group all, group;                     \
    if (rank > 1) return;                     \
    MPI_Comm_group(W, &all);                  \
    MPI_Group_incl(all, 1, &partner, &group); \
    if (rank == 1) {                          \
      MPI_Win_post(group, 0, window);         \
      MPI_Win_wait(window);                   \
    } else {                                  \
      MPI_Win_start(group, 0, window);        \
      first;                                  \
      if (wrong) second;                      \
      MPI_Win_complete(window);               \
      if (!wrong) second;                     \
    }                                         \
    MPI_Group_free(&group);                   \
    MPI_Group_free(&all);                     \
  }
#define LOCAL_REQUEST(pair, first, second)       \
  CASE local_request_##pair(int wrong) {         \
    MPI_Request request;                         \
    if (rank != 0) return;                       \
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window); \
    first;                                       \
    if (wrong) second;                           \
    MPI_Wait(&request, NO);                      \
    if (!wrong) second;                          \
    MPI_Win_unlock(1, window);                   \
  }

#define LOCAL_EACH(pair, first, second) \
  LOCAL_FENCE(pair, first, second)      \
  LOCAL_LOCK(pair, first, second)       \
  LOCAL_FLUSH(pair, first, second)      \
  LOCAL_GROUP(pair, first, second)

LOCAL_EACH(put_store, PUT, OWN_STORE)
LOCAL_EACH(get_load, GET, OWN_LOAD)
LOCAL_EACH(get_store, GET, OWN_STORE)
LOCAL_EACH(add_store, ADD, OWN_STORE)
LOCAL_REQUEST(put_store, MPI_Rput(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request), OWN_STORE)
LOCAL_REQUEST(get_load, MPI_Rget(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request), OWN_LOAD)
LOCAL_REQUEST(get_store, MPI_Rget(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request), OWN_STORE)

/* A put reads its buffer: the program may read it, too. */
CASE local_put_load(int wrong) {
  MPI_Win_fence(0, window);
  if (rank == 0) PUT;
  if (rank == 0) OWN_LOAD;
  if (rank == 0 && wrong) OWN_STORE;
  MPI_Win_fence(0, window);
}
/* The result of an operation that fetches. */
CASE local_fetched(int wrong) {
  if (rank != 0) return;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
  FETCH;
  if (!wrong) MPI_Win_flush(1, window);
  sink = ((volatile int*)own)[8];
  MPI_Win_unlock(1, window);
}
/* Messages have buffers, too. */
CASE local_receive(int wrong) {
  MPI_Request request;
  if (rank == 0) MPI_Send(own, 1, MPI_INT, 1, 1, W);
  if (rank != 1) return;
  MPI_Irecv(own, 1, MPI_INT, 0, 1, W, &request);
  if (wrong) OWN_LOAD;
  MPI_Wait(&request, NO);
  OWN_LOAD;
}
CASE local_reduction(int wrong) {
  MPI_Request request;
  MPI_Iallreduce(own, own + 8, 1, MPI_INT, MPI_SUM, W, &request);
  if (rank == 2 && wrong) OWN_STORE;
  MPI_Wait(&request, NO);
  if (rank == 2) OWN_STORE;
}

#define LOCAL_NAMES(pair)                                                               \
  {"local_fence_" #pair, local_fence_##pair}, {"local_lock_" #pair, local_lock_##pair}, \
      {"local_flush_" #pair, local_flush_##pair}, {                                     \
    "local_group_" #pair, local_group_##pair                                            \
  }

const struct race local_races[] = {
    LOCAL_NAMES(put_store),
    LOCAL_NAMES(get_load),
    LOCAL_NAMES(get_store),
    LOCAL_NAMES(add_store),
    {"local_request_put_store", local_request_put_store},
    {"local_request_get_load", local_request_get_load},
    {"local_request_get_store", local_request_get_store},
    {"local_put_load", local_put_load},
    {"local_fetched", local_fetched},
    {"local_receive", local_receive},
    {"local_reduction", local_reduction},
    {NULL, NULL},
};
