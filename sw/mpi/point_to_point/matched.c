/* Matched probes: a message that a probe has matched is taken out of the matching, for one receive (MPI-3, 3.8). The
 * library receives it into its own memory at once, so that a synchronous send may end at the probe. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/point_to_point/probe.h"
#include "sw/mpi/requests/request.h"

struct MPI_matched_ {
  struct mpi_object object;
  MPI_Comm comm;
  int source, tag;
  struct transport_request* transport;
  void* data;
  struct MPI_matched_* next; /* free ones */
};

struct MPI_matched_ MPI_message_no_proc_ = {.object = {1}, .source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};

/* ---- life: as struct MPI_request_'s ---- */
static struct MPI_matched_** free_ones(void) {
  static struct MPI_matched_* list;
  return &list;
}

/* Null: another thread has taken it. */
static MPI_Message matched_take(MPI_Comm comm, const struct transport_status* got) {
  void* data = mpi_memory(got->bytes);
  struct transport_request* transport = transport_take(got, data);
  if (!transport) {
    free(data);
    return NULL;
  }
  struct MPI_matched_** list = free_ones();
  MPI_Message message = *list;
  if (message)
    *list = message->next;
  else
    message = mpi_memory(sizeof *message);
  *message = (struct MPI_matched_){.object = {1},
                                   .comm = comm,
                                   .source = mpi_rank_of(comm, got->from),
                                   .tag = (int)(got->tag & MPI_TAG_MASK),
                                   .transport = transport,
                                   .data = data};
  mpi_comm_hold(comm);
  return message;
}

static void give(MPI_Message message) {
  struct MPI_matched_** list = free_ones();
  mpi_comm_release(message->comm);
  message->object.references = 0;
  message->next = *list;
  *list = message;
}

/* ---- MPI_Mprobe, MPI_Improbe ---- */
static int probe(const char* call, int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                 MPI_Status* status) {
  MPI_Message taken = NULL;
  for (int found = 1; found && !taken;) {
    struct transport_status got;
    MPI_TRY(mpi_probe(call, from, tag, comm, flag ? &found : NULL, status, &got));
    MPI_TRY(mpi_check_result(call, message));
    if (flag) *flag = found;
    if (found) taken = from == MPI_PROC_NULL ? MPI_MESSAGE_NO_PROC : matched_take(comm, &got);
  }
  if (taken) *message = taken;
  return MPI_SUCCESS;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return probe("MPI_Mprobe", from, tag, comm, NULL, message, status);
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  MPI_TRY(mpi_check_result("MPI_Improbe", flag));
  return probe("MPI_Improbe", from, tag, comm, flag, message, status);
}

/* ---- MPI_Mrecv, MPI_Imrecv ---- */
static int check(const char* call, const void* buffer, int count, MPI_Datatype type, MPI_Message* message) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, message));
  if (*message == MPI_MESSAGE_NULL)
    return mpi_fail(call, MPI_ERR_REQUEST, "the message is MPI_MESSAGE_NULL; take one with MPI_Mprobe");
  if ((*message)->object.references == 0)
    return mpi_fail(call, MPI_ERR_REQUEST, "the message has been received already; use the handle of its MPI_Mprobe");
  if ((*message)->comm) MPI_TRY(mpi_check_comm(call, (*message)->comm));
  return mpi_check_data(call, buffer, count, type);
}

/* The request takes over the transfer; the program's handle is no longer valid. */
static void hand_over(struct MPI_request_* request, MPI_Message* message) {
  request->active = 1;
  request->room = (size_t)request->message.count * request->message.type->bytes;
  if (*message != MPI_MESSAGE_NO_PROC) {
    request->transport = (*message)->transport;
    request->staging = (*message)->data;
    give(*message);
  }
  *message = MPI_MESSAGE_NULL;
}

static struct mpi_message message_of(void* buffer, int count, MPI_Datatype type, MPI_Message from) {
  return (struct mpi_message){
      .what = RECEIVE, .buffer = buffer, .count = count, .type = type, .peer = from->source, .tag = from->tag};
}

static MPI_Comm comm_of(MPI_Message message) { return message->comm ? message->comm : MPI_COMM_SELF; }

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  static const char call[] = "MPI_Mrecv";
  MPI_TRY(check(call, buffer, count, type, message));
  struct MPI_request_ request = {
      .call = call, .comm = comm_of(*message), .message = message_of(buffer, count, type, *message)};
  mpi_comm_hold(request.comm);
  hand_over(&request, message);
  mpi_await(&request);
  const int error = mpi_conclude(&request, status);
  mpi_comm_release(request.comm);
  return error;
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  static const char call[] = "MPI_Imrecv";
  MPI_TRY(check(call, buffer, count, type, message));
  MPI_TRY(mpi_check_result(call, request));
  const struct mpi_message wanted = message_of(buffer, count, type, *message);
  *request = mpi_request_new(call, comm_of(*message), &wanted);
  hand_over(*request, message);
  return MPI_SUCCESS;
}
