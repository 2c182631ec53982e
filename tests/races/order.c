/* What orders two accesses, and what does not. */
#include "tests/races/races.h"

/* A message from the origin behind the flush orders; one before it does not. */
#define MESSAGE(pair, by, second)                        \
  CASE message_##pair(int wrong) {                       \
    MPI_Win_lock_all(0, window);                         \
    if (rank == 0) {                                     \
      PUT;                                               \
      if (wrong) MPI_Send(NULL, 0, MPI_BYTE, by, 1, W);  \
      MPI_Win_flush(1, window);                          \
      if (!wrong) MPI_Send(NULL, 0, MPI_BYTE, by, 1, W); \
    }                                                    \
    if (rank == (by)) {                                  \
      MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, W, NO);          \
      second;                                            \
    }                                                    \
    MPI_Win_unlock_all(window);                          \
    meet();                                              \
  }
MESSAGE(load, 1, LOAD)
MESSAGE(store, 1, STORE)
MESSAGE(put, 2, PUT)

/* The owner's access comes first: its message must be behind it. */
#define ANSWER(pair, first)                             \
  CASE answer_##pair(int wrong) {                       \
    if (rank == 1) {                                    \
      if (wrong) MPI_Send(NULL, 0, MPI_BYTE, 0, 1, W);  \
      first;                                            \
      if (!wrong) MPI_Send(NULL, 0, MPI_BYTE, 0, 1, W); \
    }                                                   \
    if (rank == 0) {                                    \
      MPI_Recv(NULL, 0, MPI_BYTE, 1, 1, W, NO);         \
      MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);      \
      PUT;                                              \
      MPI_Win_unlock(1, window);                        \
    }                                                   \
    meet();                                             \
  }
ANSWER(load, LOAD)
ANSWER(store, STORE)

/* The end of a request says nothing of the target, but for one that reads there. */
CASE request_put(int wrong) {
  MPI_Request request;
  MPI_Win_lock_all(0, window);
  if (rank == 0) {
    MPI_Rput(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request);
    MPI_Wait(&request, NO);
    if (!wrong) MPI_Win_flush(1, window);
  }
  meet();
  if (rank == 2) GET;
  MPI_Win_unlock_all(window);
}
CASE request_get(int wrong) {
  MPI_Request request;
  MPI_Win_lock_all(0, window);
  if (rank == 0) MPI_Rget(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &request);
  if (rank == 0 && !wrong) MPI_Wait(&request, NO);
  meet();
  if (rank == 2) PUT;
  MPI_Win_unlock_all(window);
  if (rank == 0 && wrong) MPI_Wait(&request, NO);
}
/* A nonblocking barrier orders once it has been waited for. */
CASE nonblocking_barrier(int wrong) {
  MPI_Request request;
  MPI_Win_lock_all(0, window);
  if (rank == 0) PUT;
  if (rank == 0) MPI_Win_flush(1, window);
  MPI_Ibarrier(W, &request);
  if (!wrong) MPI_Wait(&request, NO);
  if (rank == 1) STORE;
  if (wrong) MPI_Wait(&request, NO);
  MPI_Win_unlock_all(window);
}
/* A broadcast orders what comes from its root; a reduction what goes there. */
CASE broadcast(int wrong) {
  int v = 0;
  MPI_Win_lock_all(0, window);
  if (rank == 0) PUT;
  if (rank == 0) MPI_Win_flush(1, window);
  MPI_Bcast(&v, 1, MPI_INT, wrong ? 1 : 0, W);
  if (rank == 2) PUT;
  MPI_Win_unlock_all(window);
}
CASE reduction(int wrong) {
  int v = 0, sum = 0;
  MPI_Win_lock_all(0, window);
  if (rank == 0) PUT;
  if (rank == 0) MPI_Win_flush(1, window);
  MPI_Reduce(&v, &sum, 1, MPI_INT, MPI_SUM, wrong ? 0 : 1, W);
  if (rank == 1) STORE;
  MPI_Win_unlock_all(window);
}
/* A flag that atomic operations write and read: behind the data's flush, or not. */
CASE atomic_flag(int wrong) {
  const int one = 1;
  int seen = 0;
  MPI_Win_lock_all(0, window);
  if (rank == 0) {
    PUT;
    if (!wrong) MPI_Win_flush(1, window);
    MPI_Accumulate(&one, 1, MPI_INT, 1, 8, 1, MPI_INT, MPI_REPLACE, window);
    MPI_Win_flush(1, window);
  }
  while (rank == 2 && seen == 0) {
    MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 8, MPI_NO_OP, window);
    MPI_Win_flush(1, window);
  }
  if (rank == 2) PUT;
  MPI_Win_unlock_all(window);
}
/* The owner may look at its memory until a put is there (MPI-3.1, 11.7, the unified memory model), and no more. */
CASE look_until_there(int wrong) {
  MPI_Win_lock_all(0, window);
  if (rank == 0) PUT;
  if (rank == 1 && !wrong)
    while (((volatile int*)memory)[0] == 0) MPI_Win_sync(window);
  if (rank == 1 && wrong) STORE;
  MPI_Win_unlock_all(window);
}
/* Two ranks put to each other in turns, each as soon as it sees what the other has put. */
CASE look_in_turns(int wrong) {
  const int other = 1 - rank;
  MPI_Win_lock_all(0, window);
  for (int turn = 1; turn <= 3 && rank < 2; ++turn) {
    own[0] = turn;
    if (rank == 0) MPI_Put(own, 1, MPI_INT, other, 0, 1, MPI_INT, window);
    while (((volatile int*)memory)[0] != turn) MPI_Win_sync(window);
    LOAD;
    if (rank == 1) MPI_Put(own, 1, MPI_INT, other, 0, 1, MPI_INT, window);
    MPI_Win_flush(other, window);
  }
  if (rank == 0 && wrong) STORE;
  MPI_Win_unlock_all(window);
}
/* Atomic operations of one kind need no order; sums of integers and of reals at one place do. */
CASE types_of_sums(int wrong) {
  const float real = 1;
  MPI_Win_fence(0, window);
  if (rank == 0) ADD;
  if (rank == 2 && wrong) MPI_Accumulate(&real, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, MPI_SUM, window);
  if (rank == 2 && !wrong) ADD;
  MPI_Win_fence(0, window);
}
CASE swaps_and_gets(int wrong) {
  const int one = 1, zero = 0;
  int before;
  MPI_Win_lock_all(0, window);
  MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 1, 0, window);
  if (rank == 2 && wrong) GET;
  MPI_Win_unlock_all(window);
}
/* A call of the owner uses its window: a message, or a get of its own. */
CASE receive_into_window(int wrong) {
  if (rank == 0) {
    MPI_Send(own, 1, MPI_INT, 1, 1, W);
    if (!wrong) MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, W, NO);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    PUT;
    MPI_Win_unlock(1, window);
  }
  if (rank == 1) {
    MPI_Recv(memory, 1, MPI_INT, 0, 1, W, NO);
    if (!wrong) MPI_Send(NULL, 0, MPI_BYTE, 0, 2, W);
  }
  meet();
}
CASE send_from_window(int wrong) {
  MPI_Win_fence(0, window);
  if (rank == 0) PUT;
  if (!wrong) MPI_Win_fence(0, window);
  if (rank == 1) MPI_Send(memory, 1, MPI_INT, 2, 1, W);
  if (rank == 2) MPI_Recv(own, 1, MPI_INT, 1, 1, W, NO);
  MPI_Win_fence(0, window);
}
CASE get_into_window(int wrong) {
  MPI_Win_fence(0, window);
  if (rank == 0) PUT;
  if (rank == 1) MPI_Get(memory + (wrong ? 0 : 1), 1, MPI_INT, 2, 4, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
}
/* A lock that is asserted away keeps no rank out. */
CASE unchecked_locks(int wrong) {
  if (rank == 0 || rank == 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, wrong ? MPI_MODE_NOCHECK : 0, window);
    PUT;
    MPI_Win_unlock(1, window);
  }
  meet();
}

#define NAME(name) \
  { #name, name }
const struct race orders[] = {
    NAME(message_load),     NAME(message_store),   NAME(message_put),     NAME(answer_load),
    NAME(answer_store),     NAME(request_put),     NAME(request_get),     NAME(nonblocking_barrier),
    NAME(broadcast),        NAME(reduction),       NAME(atomic_flag),     NAME(look_until_there),
    NAME(look_in_turns),    NAME(types_of_sums),   NAME(swaps_and_gets),  NAME(receive_into_window),
    NAME(send_from_window), NAME(get_into_window), NAME(unchecked_locks), {NULL, NULL},
};
