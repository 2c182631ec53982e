/* Active target: fences; and epochs of MPI_Win_post, start, complete and wait, which are messages between the two
 * sides. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/communicators/group.h"
#include "sw/mpi/windows/windows.h"

/* ---- what an operation needs ---- */
static int await_post(const char* call, MPI_Win window, struct window_target* target) {
  struct transport_status got = {0};
  if (!target->posted) return MPI_SUCCESS;
  hal_call_waits_for(call, (int)mpi_process(window->comm, target->rank), HAL_NO_TAG);
  window_begin_turn(target);
  if (target->posted) transport_wait(target->posted, &got);
  target->posted = NULL;
  window_end_turn(target);
  return got.dead ? mpi_fail_dead(window->comm, call, got.dead) : MPI_SUCCESS;
}

static int no_epoch(const char* call, MPI_Win window, int rank) {
  if (window->started)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "rank %d is not in the group of MPI_Win_start; add it there", rank);
  if (window->locks > 0)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds a lock, but none at rank %d; call MPI_Win_lock for it",
                    rank);
  return mpi_fail(
      call, MPI_ERR_RMA_SYNC,
      "no epoch is open in which rank %d may be accessed; call MPI_Win_fence, MPI_Win_start or MPI_Win_lock "
      "first",
      rank);
}

int window_enter(const char* call, MPI_Win window, int rank, int request_based) {
  struct window_target* target = window_target(window, rank);
  if (window->lock_all) {
    MPI_TRY(window_lock_for_all(call, window, rank));
  } else if (!target->lock) {
    if (request_based) return mpi_fail(call, MPI_ERR_RMA_SYNC, "it needs an epoch of MPI_Win_lock or MPI_Win_lock_all");
    if (target->started)
      MPI_TRY(await_post(call, window, target));
    else if (window->started || window->locks > 0 || !window->fence_open)
      return no_epoch(call, window, rank);
    else
      window->fence_used = 1;
  }
  return window_room(window);
}

/* ---- MPI_Win_fence ---- */
static int check_fence(const char* call, int assertion, MPI_Win window) {
  const int known = MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
  if (assertion & ~known)
    return mpi_fail(call, MPI_ERR_ASSERT, "the assertion is %d, which has bits that no assertion of a fence has",
                    assertion);
  if (window->locks > 0 || window->lock_all)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds a lock; unlock it first");
  if (window->started)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the epoch of MPI_Win_start is open; call MPI_Win_complete first");
  if (window->posted)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the epoch of MPI_Win_post is open; call MPI_Win_wait first");
  if (assertion & MPI_MODE_NOPRECEDE && window->fence_used)
    return mpi_fail(call, MPI_ERR_ASSERT, "there were operations since the last fence; leave MPI_MODE_NOPRECEDE out");
  return MPI_SUCCESS;
}

/* What this rank did is complete at its targets before it enters the barrier. */
static int fence(const char* call, int assertion, MPI_Win window) {
  MPI_TRY(check_fence(call, assertion, window));
  const int error = window_complete(call, window, MPI_PROC_NULL);
  window->fence_used = 0;
  window->fence_open = !(assertion & MPI_MODE_NOSUCCEED);
  const int met = MPI_Barrier(window->comm);
  return error != MPI_SUCCESS ? error : met;
}

int MPI_Win_fence(int assertion, MPI_Win window) {
  WINDOW_CALL("MPI_Win_fence", window, fence("MPI_Win_fence", assertion, window));
}

/* ---- groups ---- */
static int check_group(const char* call, MPI_Win window, MPI_Group group) {
  MPI_TRY(mpi_check_group(call, group));
  MPI_TRY(window_check(call, window)); /* reports for the window again */
  for (int i = 0; i < group->size; ++i)
    if (mpi_rank_of(window->comm, group->processes[i]) == MPI_UNDEFINED ||
        mpi_rank_of(window->comm, group->processes[i]) >= window->comm->size)
      return mpi_fail(call, MPI_ERR_GROUP, "rank %d of the group is not in the window's group", i);
  return MPI_SUCCESS;
}

static MPI_Group copy_of(MPI_Group group) {
  MPI_Group copy = mpi_group_new(group->size);
  for (int i = 0; i < group->size; ++i) copy->processes[i] = group->processes[i];
  mpi_group_find_self(copy);
  return copy;
}

static int member(MPI_Win window, MPI_Group group, int i) { return mpi_rank_of(window->comm, group->processes[i]); }

/* ---- MPI_Win_start, MPI_Win_complete: waits for a rank's post before the first operation on it ---- */
static int start(const char* call, MPI_Group group, int assertion, MPI_Win window) {
  MPI_TRY(check_group(call, window, group));
  if (assertion & ~MPI_MODE_NOCHECK)
    return mpi_fail(call, MPI_ERR_ASSERT, "the assertion is %d; it is 0 or MPI_MODE_NOCHECK", assertion);
  if (window->started)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the epoch of another MPI_Win_start is open; call MPI_Win_complete first");
  if (window->locks > 0 || window->lock_all)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "this rank holds a lock; unlock it first");
  if (window->fence_used)
    return mpi_fail(call, MPI_ERR_RMA_SYNC,
                    "there were operations since the last MPI_Win_fence; end that epoch with another one first");
  window->started = copy_of(group);
  for (int i = 0; i < group->size; ++i) {
    struct window_target* target = window_target(window, member(window, group, i));
    target->started = 1;
    if (!(assertion & MPI_MODE_NOCHECK))
      target->posted =
          transport_receive(group->processes[i], mpi_tag(window->comm, WINDOW_TAG_POST), UINT64_MAX, NULL, 0);
  }
  return MPI_SUCCESS;
}

static int complete(const char* call, MPI_Win window) {
  MPI_Group group = window->started;
  if (!group) return mpi_fail(call, MPI_ERR_RMA_SYNC, "there is no epoch to complete; call MPI_Win_start first");
  int error = MPI_SUCCESS;
  for (int i = 0; i < group->size; ++i) {
    const int rank = member(window, group, i);
    struct window_target* target = window_target(window, rank);
    const int posted = await_post(call, window, target), done = window_complete(call, window, rank);
    if (error == MPI_SUCCESS) error = posted != MPI_SUCCESS ? posted : done;
    target->started = 0;
    window_send_tagged(window, rank, mpi_tag(window->comm, WINDOW_TAG_COMPLETE), NULL, 0, 0);
  }
  window->started = NULL;
  MPI_TRY(MPI_Group_free(&group));
  return error;
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window) {
  WINDOW_CALL("MPI_Win_start", window, start("MPI_Win_start", group, assertion, window));
}

int MPI_Win_complete(MPI_Win window) { WINDOW_CALL("MPI_Win_complete", window, complete("MPI_Win_complete", window)); }

/* ---- MPI_Win_post, MPI_Win_wait, MPI_Win_test ---- */
static int post(const char* call, MPI_Group group, int assertion, MPI_Win window) {
  MPI_TRY(check_group(call, window, group));
  if (assertion & ~(MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT))
    return mpi_fail(call, MPI_ERR_ASSERT, "the assertion is %d, which has bits that no assertion of a post has",
                    assertion);
  if (window->posted)
    return mpi_fail(call, MPI_ERR_RMA_SYNC, "the epoch of another MPI_Win_post is open; call MPI_Win_wait first");
  window->posted = copy_of(group);
  window->completes = mpi_memory((size_t)group->size * sizeof(struct transport_request*));
  const uint64_t tag = mpi_tag(window->comm, WINDOW_TAG_COMPLETE);
  for (int i = 0; i < group->size; ++i) {
    window->completes[i] = transport_receive(group->processes[i], tag, UINT64_MAX, NULL, 0);
    if (!(assertion & MPI_MODE_NOCHECK))
      window_send_tagged(window, member(window, group, i), mpi_tag(window->comm, WINDOW_TAG_POST), NULL, 0, 0);
  }
  return MPI_SUCCESS;
}

/* Ends the exposure epoch once all have completed; without `wait`, returns 0 in `flag` if one has not. */
static int end_exposure(const char* call, MPI_Win window, int wait, int* flag) {
  MPI_Group group = window->posted;
  int dead = 0;
  if (!group) return mpi_fail(call, MPI_ERR_RMA_SYNC, "no epoch is exposed; call MPI_Win_post first");
  mpi_progress();
  *flag = 1;
  for (int i = 0; i < group->size; ++i) {
    struct transport_status got = {0};
    if (!window->completes[i]) continue;
    if (wait) {
      hal_call_waits_for(call, (int)group->processes[i], HAL_NO_TAG);
      transport_wait(window->completes[i], &got);
    } else if (!transport_test(window->completes[i], &got)) {
      *flag = 0;
      continue;
    }
    window->completes[i] = NULL;
    if (got.dead) dead = got.dead;
  }
  if (!*flag) {
    hal_tested_without_progress();
    return MPI_SUCCESS;
  }
  window->posted = NULL;
  free(window->completes);
  MPI_TRY(MPI_Group_free(&group));
  return dead ? mpi_fail_dead(window->comm, call, dead) : MPI_SUCCESS;
}

static int wait_for_all(const char* call, MPI_Win window) {
  int flag = 0;
  return end_exposure(call, window, 1, &flag);
}

static int test(const char* call, MPI_Win window, int* flag) {
  MPI_TRY(mpi_check_result(call, flag));
  return end_exposure(call, window, 0, flag);
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window) {
  WINDOW_CALL("MPI_Win_post", window, post("MPI_Win_post", group, assertion, window));
}

int MPI_Win_wait(MPI_Win window) { WINDOW_CALL("MPI_Win_wait", window, wait_for_all("MPI_Win_wait", window)); }

int MPI_Win_test(MPI_Win window, int* flag) { WINDOW_CALL("MPI_Win_test", window, test("MPI_Win_test", window, flag)); }
