/* Generalized requests (MPI-2, 8.2): the program's own operations; the program says when they are done. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/abi/hal/files.h"
#include "sw/hal/hal.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/request.h"

struct mpi_generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* release;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
  int complete, given_away;
  uint64_t end_ps;                          /* of an access of a file; 0: it has ended */
  size_t bytes;                             /* that it has moved */
  const struct mpi_kind_of_operation* kind; /* null: the program's, or an access of a file */
};

/* ---- threads: one of them completes what another waits for ---- */
struct completions {
  int may_come; /* from other threads, while one waits */
  volatile uint32_t count;
};

static struct completions* completions(void) {
  static struct completions completions;
  return &completions;
}

void mpi_generalized_serve_threads(void) { completions()->may_come = 1; }

/* Or until a node has died, and calls that wait for it end. */
static void await_completion(void) {
  const volatile uint32_t* words[] = {&completions()->count, hal_deaths()};
  const uint32_t seen[] = {*words[0], *words[1]};
  transport_wait_words(words, seen, sizeof words / sizeof *words);
}

static void await_completion_until(uint64_t end_ps) {
  transport_pause(&completions()->count, completions()->count, end_ps);
}

/* ---- for requests ---- */
int mpi_generalized_done(const struct mpi_generalized* operation) {
  if (operation->kind) return operation->kind->done(operation->extra);
  return operation->complete && (operation->end_ps == 0 || hal_time_ps() >= operation->end_ps);
}

static void refuse_wait(void) {
  char text[160];
  snprintf(text, sizeof text,
           "%s: the request of MPI_Grequest_start is not complete, and a process that waits cannot call "
           "MPI_Grequest_complete; call it before",
           mpi_present_call());
  hal_abort(text);
}

int mpi_generalized_query(const struct mpi_generalized* operation, MPI_Status* status) {
  if (operation->kind) return operation->kind->query(operation->extra, status);
  MPI_Status unwanted;
  MPI_Status* const asked = status == MPI_STATUS_IGNORE ? &unwanted : status;
  mpi_empty_status(asked);
  return operation->query(operation->extra, asked);
}

int mpi_generalized_cancel(const struct mpi_generalized* operation) {
  if (operation->kind) return MPI_SUCCESS; /* it continues */
  return operation->cancel(operation->extra, operation->complete);
}

int mpi_generalized_free(struct mpi_generalized* operation) {
  const int error =
      operation->kind ? operation->kind->conclude(operation->extra) : operation->release(operation->extra);
  free(operation);
  return error;
}

int mpi_generalized_give_away(struct MPI_request_* request) {
  int error = MPI_SUCCESS;
  if (request->generalized->kind) {
    request->generalized->kind->give_away(request->generalized->extra);
    free(request->generalized);
    mpi_request_give(request);
    return error;
  }
  request->generalized->given_away = !request->generalized->complete; /* its completion frees it */
  if (request->generalized->given_away) return error;
  error = mpi_generalized_free(request->generalized);
  mpi_request_give(request);
  return error;
}

/* ---- operations of the library ---- */
MPI_Request mpi_request_of(const char* call, MPI_Comm comm, const struct mpi_kind_of_operation* kind, void* extra) {
  MPI_Request request = mpi_request_new(call, comm, NULL);
  request->active = 1;
  request->generalized = mpi_memory(sizeof(struct mpi_generalized));
  *request->generalized = (struct mpi_generalized){.extra = extra, .kind = kind};
  return request;
}

void* mpi_extra_of(MPI_Request request) { return request->generalized->extra; }

/* ---- accesses of files: the disk's work, which ends at a known time ---- */
static int query_access(void* extra, MPI_Status* status) {
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, *(const size_t*)extra);
  return MPI_SUCCESS;
}

static int no_work(void* extra) {
  (void)extra;
  return MPI_SUCCESS;
}

static int no_cancel(void* extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

MPI_Request mpi_request_until(const char* call, uint64_t end_ps, size_t bytes) {
  MPI_Request request = mpi_request_new(call, MPI_COMM_SELF, NULL);
  request->active = 1;
  request->generalized = mpi_memory(sizeof(struct mpi_generalized));
  *request->generalized = (struct mpi_generalized){.query = query_access,
                                                   .release = no_work,
                                                   .cancel = no_cancel,
                                                   .extra = &request->generalized->bytes,
                                                   .complete = 1,
                                                   .end_ps = end_ps,
                                                   .bytes = bytes};
  return request;
}

void mpi_generalized_wait(const struct mpi_generalized* operation) {
  if (operation->kind) {
    operation->kind->wait(operation->extra);
    return;
  }
  while (!operation->complete) {
    if (!completions()->may_come) refuse_wait();
    await_completion();
  }
  hal_file_wait(operation->end_ps);
}

#define LOOK_AFTER_PS (20 * HAL_PS_PER_US) /* as a thread of the system would; far less than a disk's request */

/* When the first access of a file ends; UINT64_MAX if none is under way. */
static uint64_t first_end(int count, const MPI_Request* requests) {
  uint64_t until = UINT64_MAX;
  for (int i = 0; i < count; ++i) {
    const struct mpi_generalized* operation = requests[i] ? requests[i]->generalized : NULL;
    if (operation && operation->complete && operation->end_ps < until) until = operation->end_ps;
  }
  return until;
}

static int awaits_completion(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    const struct mpi_generalized* operation = requests[i] ? requests[i]->generalized : NULL;
    if (operation && !operation->kind && !operation->complete) return 1;
  }
  return 0;
}

int mpi_generalized_pause(int count, const MPI_Request* requests, int others) {
  const uint64_t end = first_end(count, requests), look = hal_time_ps() + LOOK_AFTER_PS;
  const uint64_t until = others && look < end ? look : end;
  if (completions()->may_come && awaits_completion(count, requests)) {
    if (until == UINT64_MAX)
      await_completion();
    else
      await_completion_until(until);
    return 1;
  }
  if (end != UINT64_MAX) {
    hal_file_wait(until);
    return 1;
  }
  if (!others) refuse_wait();
  return 0;
}

/* ---- MPI_Grequest_start ---- */
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request) {
  static const char call[] = "MPI_Grequest_start";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, request));
  if (!query || !release || !cancel) return mpi_fail(call, MPI_ERR_ARG, "one of the functions is a null pointer");
  *request = mpi_request_new(call, MPI_COMM_SELF, NULL);
  (*request)->active = 1;
  (*request)->generalized = mpi_memory(sizeof(struct mpi_generalized));
  *(*request)->generalized =
      (struct mpi_generalized){.query = query, .release = release, .cancel = cancel, .extra = extra};
  return MPI_SUCCESS;
}

/* ---- MPI_Grequest_complete ---- */
int MPI_Grequest_complete(MPI_Request request) {
  static const char call[] = "MPI_Grequest_complete";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_request(call, &request));
  if (request == MPI_REQUEST_NULL || !request->generalized || request->generalized->kind)
    return mpi_fail(call, MPI_ERR_REQUEST, "the request is not one of MPI_Grequest_start");
  request->generalized->complete = 1;
  ++completions()->count;
  if (completions()->may_come) hal_stored(&completions()->count, sizeof completions()->count);
  return request->generalized->given_away ? mpi_generalized_give_away(request) : MPI_SUCCESS;
}
