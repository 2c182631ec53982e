/* A send and a receive with one request (MPI-4): MPI_Isendrecv, MPI_Isendrecv_replace. For a wait it is an
 * operation of its own kind, as a generalized request is. */
#include <stdlib.h>

#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/request.h"

struct exchange {
  MPI_Request whole, receive, send;
};

/* ---- as an operation of a request ---- */
static int done(void* extra) {
  struct exchange* exchange = extra;
  const int received = mpi_has_ended(exchange->receive), sent = mpi_has_ended(exchange->send);
  exchange->whole->transport = mpi_pending(received ? exchange->send : exchange->receive); /* what a wait watches */
  return received && sent;
}

static void wait(void* extra) {
  struct exchange* exchange = extra;
  mpi_await(exchange->receive);
  mpi_await(exchange->send);
  exchange->whole->transport = NULL;
}

static int query(void* extra, MPI_Status* status) { return mpi_peek(((struct exchange*)extra)->receive, status); }

static int conclude(void* extra) {
  struct exchange* exchange = extra;
  const int sent = mpi_conclude_handle(&exchange->send, MPI_STATUS_IGNORE);
  const int received = mpi_conclude_handle(&exchange->receive, MPI_STATUS_IGNORE);
  free(exchange);
  return received == MPI_SUCCESS ? sent : received;
}

static void give_away(void* extra) {
  struct exchange* exchange = extra;
  MPI_Request_free(&exchange->receive);
  MPI_Request_free(&exchange->send);
  free(exchange);
}

static const struct mpi_kind_of_operation kind = {
    .done = done, .wait = wait, .query = query, .conclude = conclude, .give_away = give_away};

static struct mpi_message message_of(enum mpi_what what, void* buffer, int count, MPI_Datatype type, int peer,
                                     int tag) {
  return (struct mpi_message){.what = what, .buffer = buffer, .count = count, .type = type, .peer = peer, .tag = tag};
}

static int start(const char* call, const struct mpi_message* out, const struct mpi_message* in, MPI_Comm comm,
                 MPI_Request* request) {
  struct exchange* exchange = mpi_memory(sizeof *exchange);
  exchange->receive = mpi_request_new(call, comm, in);
  exchange->send = mpi_request_new(call, comm, out);
  *request = exchange->whole = mpi_request_of(call, comm, &kind, exchange);
  MPI_TRY(mpi_start(exchange->receive));
  return mpi_start(exchange->send);
}

/* ---- MPI_Isendrecv ---- */
int MPI_Isendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                  void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                  MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Isendrecv";
  struct mpi_message in = message_of(RECEIVE, receive_buffer, receive_count, receive_type, from, receive_tag);
  struct mpi_message out = message_of(SEND_STANDARD, (void*)send_buffer, send_count, send_type, to, send_tag);
  MPI_TRY(mpi_complete_message(call, &in, comm));
  MPI_TRY(mpi_complete_message(call, &out, comm));
  MPI_TRY(mpi_check_result(call, request));
  return start(call, &out, &in, comm, request);
}

/* ---- MPI_Isendrecv_replace: sends a copy, which is freed with the request of the send ---- */
int MPI_Isendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int receive_tag,
                          MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Isendrecv_replace";
  struct mpi_message in = message_of(RECEIVE, buffer, count, type, from, receive_tag);
  struct mpi_message out = message_of(SEND_STANDARD, buffer, count, type, to, send_tag);
  MPI_TRY(mpi_complete_message(call, &in, comm));
  MPI_TRY(mpi_complete_message(call, &out, comm));
  MPI_TRY(mpi_check_result(call, request));
  const size_t bytes = (size_t)count * out.type->bytes;
  void* copy = mpi_memory(bytes);
  mpi_pack(buffer, (size_t)count, out.type, copy);
  struct MPI_datatype_ whole = *MPI_BYTE; /* one element: its bytes may be more than an int counts */
  whole.bytes = bytes;
  out = message_of(SEND_STANDARD, copy, 1, &whole, to, send_tag);
  const int error = start(call, &out, &in, comm, request);
  struct exchange* exchange = mpi_extra_of(*request);
  exchange->send->message.type = MPI_BYTE; /* the other one lives no longer */
  exchange->send->staging = copy;
  return error;
}
