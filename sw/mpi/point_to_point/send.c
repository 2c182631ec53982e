/* Sending. */
#include "sw/hal/hal.h"
#include "sw/mpi/requests/persistent.h"
#include "sw/mpi/requests/request.h"

static struct mpi_message message_of(enum mpi_what what, const void* buffer, int count, MPI_Datatype type, int to,
                                     int tag) {
  return (struct mpi_message){
      .what = what, .buffer = (void*)buffer, .count = count, .type = type, .peer = to, .tag = tag};
}

static int message_send(const char* call, enum mpi_what what, const void* buffer, int count, MPI_Datatype type, int to,
                        int tag, MPI_Comm comm) {
  struct MPI_request_ request = {.call = call, .comm = comm, .message = message_of(what, buffer, count, type, to, tag)};
  MPI_TRY(mpi_complete_message(call, &request.message, comm));
  MPI_TRY(mpi_start(&request));
  mpi_await(&request);
  return mpi_conclude(&request, MPI_STATUS_IGNORE);
}

static int send_later(const char* call, enum mpi_what what, const void* buffer, int count, MPI_Datatype type, int to,
                      int tag, MPI_Comm comm, MPI_Request* request) {
  struct mpi_message message = message_of(what, buffer, count, type, to, tag);
  MPI_TRY(mpi_complete_message(call, &message, comm));
  MPI_TRY(mpi_check_result(call, request));
  *request = mpi_request_new(call, comm, &message);
  const int error = mpi_start(*request);
  if (error == MPI_SUCCESS) return error;
  mpi_request_give(*request);
  *request = MPI_REQUEST_NULL;
  return error;
}

/* ---- MPI_Send ---- */
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message_send("MPI_Send", SEND_STANDARD, buffer, count, type, to, tag, comm);
}

/* ---- MPI_Ssend ---- */
int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message_send("MPI_Ssend", SEND_SYNCHRONOUS, buffer, count, type, to, tag, comm);
}

/* ---- MPI_Rsend: the receive is there, which makes no difference ---- */
int MPI_Rsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message_send("MPI_Rsend", SEND_STANDARD, buffer, count, type, to, tag, comm);
}

/* ---- MPI_Bsend ---- */
int MPI_Bsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message_send("MPI_Bsend", SEND_BUFFERED, buffer, count, type, to, tag, comm);
}

/* ---- MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend ---- */
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Isend", SEND_STANDARD, buffer, count, type, to, tag, comm, request);
}

int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Issend", SEND_SYNCHRONOUS, buffer, count, type, to, tag, comm, request);
}

int MPI_Irsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Irsend", SEND_STANDARD, buffer, count, type, to, tag, comm, request);
}

int MPI_Ibsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Ibsend", SEND_BUFFERED, buffer, count, type, to, tag, comm, request);
}

/* ---- persistent ones ---- */
static int prepare(const char* call, enum mpi_what what, const void* buffer, int count, MPI_Datatype type, int to,
                   int tag, MPI_Comm comm, MPI_Request* request) {
  struct mpi_message message = message_of(what, buffer, count, type, to, tag);
  MPI_TRY(mpi_complete_message(call, &message, comm));
  MPI_TRY(mpi_check_result(call, request));
  *request = mpi_request_new(call, comm, &message);
  (*request)->persistent = 1;
  return MPI_SUCCESS;
}

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return prepare("MPI_Send_init", SEND_STANDARD, buffer, count, type, to, tag, comm, request);
}

int MPI_Ssend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare("MPI_Ssend_init", SEND_SYNCHRONOUS, buffer, count, type, to, tag, comm, request);
}

int MPI_Rsend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare("MPI_Rsend_init", SEND_STANDARD, buffer, count, type, to, tag, comm, request);
}

int MPI_Bsend_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare("MPI_Bsend_init", SEND_BUFFERED, buffer, count, type, to, tag, comm, request);
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return prepare("MPI_Recv_init", RECEIVE, buffer, count, type, from, tag, comm, request);
}

/* ---- MPI_Start, MPI_Startall ---- */
static int start(const char* call, MPI_Request* request) {
  MPI_TRY(mpi_check_request(call, request));
  if (*request == MPI_REQUEST_NULL || !(*request)->persistent)
    return mpi_fail(call, MPI_ERR_REQUEST,
                    "the request is not persistent; make it with MPI_Send_init or MPI_Recv_init");
  if ((*request)->active)
    return mpi_fail(call, MPI_ERR_REQUEST, "the request is active already; wait for its end first");
  return (*request)->message.what == COLLECTIVE ? mpi_persistent_start(*request) : mpi_start(*request);
}

int MPI_Start(MPI_Request* request) {
  MPI_TRY(mpi_check_running("MPI_Start"));
  return start("MPI_Start", request);
}

int MPI_Startall(int count, MPI_Request* requests) {
  MPI_TRY(mpi_check_running("MPI_Startall"));
  if (count < 0) return mpi_fail("MPI_Startall", MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  for (int i = 0; i < count; ++i) MPI_TRY(start("MPI_Startall", &requests[i]));
  return MPI_SUCCESS;
}
