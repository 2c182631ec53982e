/* Requests: a message from its start to its end. */

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/requests/buffered.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/schedule.h"
#include "sw/mpi/requests/section.h"

/* ---- checks ---- */
int mpi_check_source(const char* call, int from, int tag, MPI_Comm comm) {
  if (from != MPI_ANY_SOURCE && from != MPI_PROC_NULL) MPI_TRY(mpi_check_rank(call, from, comm));
  if (tag != MPI_ANY_TAG) MPI_TRY(mpi_check_tag(call, tag));
  return MPI_SUCCESS;
}

/* Apart from the usual way, which they must not make longer. */
__attribute__((noinline, cold)) static int check_without_type(const char* call, const struct mpi_message* message,
                                                              MPI_Comm comm) {
  if (message->peer != MPI_PROC_NULL || message->count != 0) return mpi_check_type(call, message->type);
  MPI_TRY(message->what == RECEIVE ? mpi_check_source(call, message->peer, message->tag, comm)
                                   : mpi_check_tag(call, message->tag));
  return MPI_NO_TYPE;
}

__attribute__((noinline, cold)) static int give_type(const char* call, struct mpi_message* message, MPI_Comm comm) {
  const int error = check_without_type(call, message, comm);
  if (error != MPI_NO_TYPE) return error;
  message->type = MPI_BYTE;
  return MPI_SUCCESS;
}

int mpi_check_message(const char* call, const struct mpi_message* message, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  const int error = mpi_check_message_data(call, message->buffer, message->count, message->type);
  if (error != MPI_SUCCESS) return error == MPI_NO_TYPE ? check_without_type(call, message, comm) : error;
  if (message->what == RECEIVE) return mpi_check_source(call, message->peer, message->tag, comm);
  MPI_TRY(mpi_check_tag(call, message->tag));
  return message->peer == MPI_PROC_NULL ? MPI_SUCCESS : mpi_check_rank(call, message->peer, comm);
}

int mpi_complete_message(const char* call, struct mpi_message* message, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  const int error = mpi_check_message_data(call, message->buffer, message->count, message->type);
  if (error != MPI_SUCCESS) return error == MPI_NO_TYPE ? give_type(call, message, comm) : error;
  if (message->what == RECEIVE) return mpi_check_source(call, message->peer, message->tag, comm);
  MPI_TRY(mpi_check_tag(call, message->tag));
  return message->peer == MPI_PROC_NULL ? MPI_SUCCESS : mpi_check_rank(call, message->peer, comm);
}

int mpi_check_request(const char* call, MPI_Request* request) {
  if (!request) return mpi_fail(call, MPI_ERR_REQUEST, "the place of the request is a null pointer");
  if (*request != MPI_REQUEST_NULL && (*request)->object.references == 0)
    return mpi_fail(call, MPI_ERR_REQUEST, "the request is done or freed already; use the handle that the call gave");
  return MPI_SUCCESS;
}

/* ---- life ---- */
static struct MPI_request_** free_requests(void) {
  static struct MPI_request_* list;
  return &list;
}

struct MPI_request_* mpi_request_new(const char* call, MPI_Comm comm, const struct mpi_message* message) {
  struct MPI_request_** list = free_requests();
  struct MPI_request_* request = *list;
  if (request)
    *list = request->next;
  else
    request = mpi_memory(sizeof *request);
  *request = (struct MPI_request_){.object = {1}, .call = call, .comm = comm};
  mpi_comm_hold(comm);
  if (message) {
    request->message = *message;
    mpi_type_hold(message->type);
  }
  return request;
}

void mpi_request_give(struct MPI_request_* request) {
  mpi_comm_release(request->comm);
  if (request->message.type) mpi_type_release(request->message.type);
  struct MPI_request_** list = free_requests();
  request->object.references = 0;
  request->next = *list;
  *list = request;
}

/* ---- start ---- */
struct mpi_wanted mpi_wanted_of(int from, int tag, MPI_Comm comm) {
  struct mpi_wanted wanted = {.from = TRANSPORT_ANY, .tag = mpi_tag(comm, tag), .mask = UINT64_MAX};
  if (from != MPI_ANY_SOURCE) wanted.from = mpi_process(comm, from);
  if (tag == MPI_ANY_TAG) {
    wanted.mask = MPI_CONTEXT_MASK;
    wanted.tag = mpi_tag(comm, 0);
  }
  return wanted;
}

/* Address of the bytes that travel: the program's buffer, or a packed copy. */
static void* travelling(struct MPI_request_* request, size_t bytes) {
  const struct mpi_message* message = &request->message;
  if (message->type->dense || bytes == 0) return message->buffer;
  request->staging = mpi_memory(bytes);
  if (message->what != RECEIVE) {
    mpi_pack(message->buffer, (size_t)message->count, message->type, request->staging);
  }
  return request->staging;
}

int mpi_start(struct MPI_request_* request) {
  const struct mpi_message* message = &request->message;
  request->active = 1;
  request->cancelled = 0;
  request->transport = NULL;
  request->got.dead = 0;
  if (message->peer == MPI_PROC_NULL) return MPI_SUCCESS;
  if (message->what != RECEIVE) {
    request->got.dead = mpi_death_of(mpi_process(request->comm, message->peer));
    if (request->got.dead) return MPI_SUCCESS; /* the end of the request reports it */
  }
  if (message->what == SEND_BUFFERED) return mpi_buffered_send(request);
  const size_t bytes = (size_t)message->count * message->type->bytes;
  void* data = travelling(request, bytes);
  if (message->what == RECEIVE) {
    const struct mpi_wanted wanted = mpi_wanted_of(message->peer, message->tag, request->comm);
    request->room = bytes;
    hal_receive_posted((uintptr_t)request, wanted.from == TRANSPORT_ANY ? HAL_NO_RANK : (int)wanted.from, wanted.tag,
                       wanted.mask);
    request->transport = transport_receive(wanted.from, wanted.tag, wanted.mask, data, bytes);
    return MPI_SUCCESS;
  }
  const unsigned to = mpi_process(request->comm, message->peer);
  const uint64_t tag = mpi_tag(request->comm, message->tag);
  hal_message_sent((int)to, tag, bytes);
  request->transport =
      transport_send(to, tag, data, bytes, message->what == SEND_SYNCHRONOUS ? TRANSPORT_SYNCHRONOUS : 0);
  return MPI_SUCCESS;
}

/* ---- on the way ---- */
int mpi_done(MPI_Request request) {
  mpi_progress();
  return mpi_has_ended(request);
}

int mpi_has_ended(MPI_Request request) {
  if (request != MPI_REQUEST_NULL && request->schedule) return mpi_schedule_done(request->schedule);
  if (request != MPI_REQUEST_NULL && request->generalized) return mpi_generalized_done(request->generalized);
  if (request == MPI_REQUEST_NULL || !request->active || !request->transport) return 1;
  if (!transport_test(request->transport, &request->got)) return 0;
  request->transport = NULL;
  return 1;
}

struct transport_request* mpi_pending(MPI_Request request) {
  if (request && request->schedule) return mpi_schedule_pending(request->schedule);
  return request ? request->transport : NULL;
}

void mpi_await(struct MPI_request_* request) {
  if (request->schedule) mpi_schedule_wait(request->schedule);
  if (request->generalized) mpi_generalized_wait(request->generalized);
  if (!request->active || !request->transport) return;
  hal_call_waits_for(request->call, request->message.peer, request->message.tag);
  mpi_any_source_is_of(request->comm);
  transport_wait(request->transport, &request->got);
  mpi_any_source_is_of(NULL);
  request->transport = NULL;
}

/* ---- end ---- */
void mpi_set_status(MPI_Status* status, int source, int tag, size_t bytes) {
  if (status == MPI_STATUS_IGNORE) return; /* MPI_ERROR is set only by calls that return several statuses */
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  status->cancelled_ = 0;
  status->bytes_ = bytes;
}

void mpi_empty_status(MPI_Status* status) {
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS; /* MPI-3.1, 3.7.3 */
}

static size_t received(const struct MPI_request_* request) {
  return request->got.bytes < request->room ? request->got.bytes : request->room;
}

static int source_of(const struct MPI_request_* request) {
  const int asked = request->message.peer;
  return asked == MPI_ANY_SOURCE ? mpi_rank_of(request->comm, request->got.from) : asked;
}

int mpi_peek(const struct MPI_request_* request, MPI_Status* status) {
  if (!request || !request->active) {
    mpi_empty_status(status);
    return MPI_SUCCESS;
  }
  mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (request->schedule) return MPI_SUCCESS;
  if (request->generalized) return mpi_generalized_query(request->generalized, status);
  if (request->cancelled) {
    if (status != MPI_STATUS_IGNORE) status->cancelled_ = 1;
  } else if (request->message.what == RECEIVE && request->message.peer == MPI_PROC_NULL) {
    mpi_set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  } else if (request->message.what == RECEIVE) {
    mpi_set_status(status, source_of(request), (int)(request->got.tag & MPI_TAG_MASK), received(request));
  }
  return MPI_SUCCESS;
}

void mpi_deliver(struct MPI_request_* request) {
  if (!request || !request->staging || request->message.what != RECEIVE || request->cancelled) return;
  mpi_unpack_bytes(request->staging, received(request), request->message.buffer, request->message.type);
  free(request->staging);
  request->staging = NULL;
}

static int finish_receive(struct MPI_request_* request) {
  const struct transport_status* got = &request->got;
  if (request->message.peer != MPI_PROC_NULL)
    hal_message_over(got->dead ? HAL_NO_RANK : (int)got->from, hal_rank(), got->tag, (uintptr_t)request);
  mpi_deliver(request);
  if (got->bytes <= request->room) return MPI_SUCCESS;
  return mpi_fail_on(request->comm, request->call, MPI_ERR_TRUNCATE,
                     "the message from rank %d with tag %d has %zu bytes, the buffer %zu; make the buffer larger",
                     source_of(request), (int)(got->tag & MPI_TAG_MASK), got->bytes, request->room);
}

static void end_staging(struct MPI_request_* request) {
  mpi_staged_out(request->staged);
  if (request->persistent) return;
  mpi_staged_free(request->staged);
  request->staged = NULL;
}

int mpi_conclude(struct MPI_request_* request, MPI_Status* status) {
  int error = mpi_peek(request, status);
  if (request->generalized) {
    const int freed = mpi_generalized_free(request->generalized);
    request->generalized = NULL;
    if (freed != MPI_SUCCESS) error = freed; /* if both fail, the last error is reported (MPI-3.1, 12.2) */
  } else if (request->schedule) {
    error = mpi_schedule_free(request->schedule);
    request->schedule = NULL;
    if (request->staged) end_staging(request);
  } else if (request->active && request->got.dead) {
    error = mpi_fail_dead(request->comm, request->call, request->got.dead);
  } else if (request->active && !request->cancelled && request->message.what == RECEIVE) {
    error = finish_receive(request);
  }
  free(request->staging);
  request->staging = NULL;
  request->active = request->cancelled = 0;
  return error;
}

int mpi_conclude_handle(MPI_Request* request, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) {
    mpi_empty_status(status);
    return MPI_SUCCESS;
  }
  const int error = mpi_conclude(*request, status);
  if ((*request)->persistent) return error;
  mpi_request_give(*request);
  *request = MPI_REQUEST_NULL;
  return error;
}
