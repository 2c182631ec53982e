/* Passive target: locks, which the CPU of the target grants in the order in which they are asked for; and flushes. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/windows/windows.h"

/* ---- at the target ---- */
static int is_free_for(const struct MPI_window_* window, int kind) {
  return !window->holders || (kind == MPI_LOCK_SHARED && window->holders->kind == MPI_LOCK_SHARED);
}

static void hold(MPI_Win window, struct window_lock* lock) {
  lock->next = window->holders;
  window->holders = lock;
  if (lock->answer != 0) window_send_tagged(window, lock->rank, window_answer_tag(window, lock->answer), NULL, 0, 0);
}

static void grant(MPI_Win window) {
  while (window->waiters && is_free_for(window, window->waiters->kind)) {
    struct window_lock* lock = window->waiters;
    window->waiters = lock->next;
    if (!window->waiters) window->last_waiter = &window->waiters;
    hold(window, lock);
  }
}

/* A later request does not overtake one that waits, so that shared locks do not keep an exclusive one out. */
void window_lock_wanted(MPI_Win window, int rank, int kind, uint32_t answer) {
  struct window_lock* lock = mpi_memory(sizeof *lock);
  *lock = (struct window_lock){.kind = kind, .rank = rank, .answer = answer};
  *window->last_waiter = lock;
  window->last_waiter = &lock->next;
  grant(window);
}

static void drop(struct window_lock** link) {
  struct window_lock* lock = *link;
  *link = lock->next;
  free(lock);
}

void window_lock_released(MPI_Win window, int rank) {
  struct window_lock** link = &window->holders;
  while (*link && (*link)->rank != rank) link = &(*link)->next;
  if (*link) drop(link);
  grant(window);
}

void window_locks_of_the_dead(MPI_Win window) {
  struct window_lock** link = &window->holders;
  while (*link)
    if (mpi_death_of(mpi_process(window->comm, (*link)->rank)))
      drop(link);
    else
      link = &(*link)->next;
  for (link = &window->waiters; *link;)
    if (mpi_death_of(mpi_process(window->comm, (*link)->rank)))
      drop(link);
    else
      link = &(*link)->next;
  window->last_waiter = link;
  grant(window);
}

/* ---- at the origin ---- */
static int acquire(const char* call, MPI_Win window, int rank, int kind) {
  if (rank == window->comm->rank && !window->waiters && is_free_for(window, kind)) {
    window_lock_wanted(window, rank, kind, 0);
    return MPI_SUCCESS;
  }
  uint32_t number = 0;
  struct transport_request* answer = window_answer(window, rank, NULL, 0, &number);
  struct window_operation* operation = window_begin(call, window, rank, answer);
  if (HAL_HAS_THREADS) operation->is_lock = 1; /* a flush of another thread must not wait for it */
  if (rank == window->comm->rank) {
    window_lock_wanted(window, rank, kind, number);
  } else {
    struct window_head* head = window_message(0, 0);
    head->kind = REQUEST_LOCK;
    head->lock = (uint32_t)kind;
    head->answer = number;
    window_send(window, rank, head);
  }
  return window_await(operation);
}

/* The target confirms it: together with all requests before, if there were any. Otherwise nothing waits for that but
 * the next operation on the rank, or MPI_Win_free. Returns whether it must be waited for. */
static int release(const char* call, MPI_Win window, int rank) {
  const int must_wait = window_target(window, rank)->messages > 0;
  if (rank == window->comm->rank) {
    window_lock_released(window, rank);
    return 0;
  }
  window_confirmation(call, window, rank, 1);
  return must_wait;
}

static int check_kind(const char* call, int kind) {
  if (kind == MPI_LOCK_EXCLUSIVE || kind == MPI_LOCK_SHARED) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_LOCKTYPE, "there is no kind of lock %d; it is MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED",
                  kind);
}

static int check_no_other(const char* call, MPI_Win window) {
  if (window->no_locks)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the window was made with the info no_locks=true; leave it out");
  if (window->started)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the epoch of MPI_Win_start is open; call MPI_Win_complete first");
  if (window->fence_used)
    return mpi_fail(call, MPI_ERR_RMA_SYNC,
                    "there were operations since the last MPI_Win_fence; end that epoch with another one first");
  return MPI_SUCCESS;
}

static int check_assertion(const char* call, int assertion) {
  if ((assertion & ~MPI_MODE_NOCHECK) == 0) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_ASSERT, "the assertion is %d; locks take 0 or MPI_MODE_NOCHECK", assertion);
}

static int lock_target(const char* call, int kind, struct window_target* target, int assertion, MPI_Win window) {
  if (target->lock || window->lock_all)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds a lock at rank %d already; unlock it first", target->rank);
  target->unchecked = (assertion & MPI_MODE_NOCHECK) != 0;
  if (!target->unchecked) MPI_TRY(acquire(call, window, target->rank, kind));
  target->lock = kind;
  ++window->locks;
  return MPI_SUCCESS;
}

static int lock(const char* call, int kind, int rank, int assertion, MPI_Win window) {
  MPI_TRY(check_kind(call, kind));
  MPI_TRY(check_assertion(call, assertion));
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  MPI_TRY(window_check_rank(call, window, rank));
  MPI_TRY(check_no_other(call, window));
  struct window_target* target = window_target(window, rank);
  window_begin_turn(target);
  const int error = lock_target(call, kind, target, assertion, window);
  window_end_turn(target);
  return error;
}

static int unlock(const char* call, int rank, MPI_Win window) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  MPI_TRY(window_check_rank(call, window, rank));
  struct window_target* target = window_target(window, rank);
  if (!target->lock || window->lock_all)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds no lock of MPI_Win_lock at rank %d", rank);
  const int unchecked = target->unchecked;
  target->lock = 0;
  --window->locks;
  if (unchecked) return window_complete(call, window, rank);
  MPI_TRY(window_drain(call, window, rank));
  return release(call, window, rank) ? window_drain(call, window, rank) : MPI_SUCCESS;
}

/* ---- MPI_Win_lock, MPI_Win_unlock ---- */
int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win window) {
  WINDOW_CALL("MPI_Win_lock", window, lock("MPI_Win_lock", kind, rank, assertion, window));
}

int MPI_Win_unlock(int rank, MPI_Win window) {
  WINDOW_CALL("MPI_Win_unlock", window, unlock("MPI_Win_unlock", rank, window));
}

/* ---- MPI_Win_lock_all, MPI_Win_unlock_all: a rank's shared lock is got with the first operation on it; those of this
 * rank, and of all where memory is shared, at once, since loads and stores do not ask for them ---- */
static int lock_all_now(const char* call, MPI_Win window) {
  if (window->flavor != MPI_WIN_FLAVOR_SHARED) return window_lock_for_all(call, window, window->comm->rank);
  for (int rank = 0; rank < window->comm->size; ++rank) MPI_TRY(window_lock_for_all(call, window, rank));
  return MPI_SUCCESS;
}

static int lock_all(const char* call, int assertion, MPI_Win window) {
  MPI_TRY(check_assertion(call, assertion));
  MPI_TRY(check_no_other(call, window));
  if (window->lock_all || window->locks > 0)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds a lock of this window already; unlock it first");
  window->all_unchecked = (assertion & MPI_MODE_NOCHECK) != 0;
  window->lock_all = 1;
  return window->all_unchecked ? MPI_SUCCESS : lock_all_now(call, window);
}

int window_lock_for_all(const char* call, MPI_Win window, int rank) {
  struct window_target* target = window_target(window, rank);
  if (target->lock || window->all_unchecked) return MPI_SUCCESS;
  window_begin_turn(target);
  const int error = target->lock ? MPI_SUCCESS : acquire(call, window, rank, MPI_LOCK_SHARED);
  if (error == MPI_SUCCESS) target->lock = MPI_LOCK_SHARED;
  window_end_turn(target);
  return error;
}

static int unlock_all(const char* call, MPI_Win window) {
  if (!window->lock_all) return mpi_fail(call, MPI_ERR_RMA_SYNC, "there is no epoch of MPI_Win_lock_all to end");
  window->lock_all = 0;
  if (window->all_unchecked) return window_complete(call, window, MPI_PROC_NULL);
  const int error = window_drain(call, window, MPI_PROC_NULL);
  int must_wait = 0;
  for (struct window_target* target = window->accessed; target; target = target->next) {
    if (!target->lock) continue;
    target->lock = 0;
    must_wait |= release(call, window, target->rank);
  }
  const int released = must_wait ? window_drain(call, window, MPI_PROC_NULL) : MPI_SUCCESS;
  return error != MPI_SUCCESS ? error : released;
}

int MPI_Win_lock_all(int assertion, MPI_Win window) {
  WINDOW_CALL("MPI_Win_lock_all", window, lock_all("MPI_Win_lock_all", assertion, window));
}

int MPI_Win_unlock_all(MPI_Win window) {
  WINDOW_CALL("MPI_Win_unlock_all", window, unlock_all("MPI_Win_unlock_all", window));
}

/* ---- MPI_Win_flush and its kin: what is complete at the target is complete here ---- */
static int flush(const char* call, int rank, MPI_Win window) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  MPI_TRY(window_check_rank(call, window, rank));
  if (!window->lock_all && !window_target(window, rank)->lock)
    return mpi_fail(call, MPI_ERR_RMA_SYNC,
                    "this rank holds no lock at rank %d; flush between MPI_Win_lock and MPI_Win_unlock", rank);
  return window_complete(call, window, rank);
}

static int flush_all(const char* call, MPI_Win window) {
  if (!window->lock_all && window->locks == 0)
    return mpi_fail(call, MPI_ERR_RMA_SYNC,
                    "this rank holds no lock; flush between MPI_Win_lock_all and MPI_Win_unlock_all");
  return window_complete(call, window, MPI_PROC_NULL);
}

int MPI_Win_flush(int rank, MPI_Win window) {
  WINDOW_CALL("MPI_Win_flush", window, flush("MPI_Win_flush", rank, window));
}

int MPI_Win_flush_local(int rank, MPI_Win window) {
  WINDOW_CALL("MPI_Win_flush_local", window, flush("MPI_Win_flush_local", rank, window));
}

int MPI_Win_flush_all(MPI_Win window) {
  WINDOW_CALL("MPI_Win_flush_all", window, flush_all("MPI_Win_flush_all", window));
}

int MPI_Win_flush_local_all(MPI_Win window) {
  WINDOW_CALL("MPI_Win_flush_local_all", window, flush_all("MPI_Win_flush_local_all", window));
}

/* ---- MPI_Win_sync: memory has one copy. It also serves what has come, for programs that poll ---- */
static int synchronise(MPI_Win window) {
  (void)window;
  window_service();
  return MPI_SUCCESS;
}

int MPI_Win_sync(MPI_Win window) { WINDOW_CALL("MPI_Win_sync", window, synchronise(window)); }
