/* Receiving, exchanging, probing. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/datatypes/layout.h"
#include "sw/mpi/point_to_point/probe.h"
#include "sw/mpi/requests/request.h"

static struct mpi_message message_of(void* buffer, int count, MPI_Datatype type, int from, int tag) {
  return (struct mpi_message){
      .what = RECEIVE, .buffer = buffer, .count = count, .type = type, .peer = from, .tag = tag};
}

/* ---- MPI_Irecv ---- */
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  struct mpi_message message = message_of(buffer, count, type, from, tag);
  MPI_TRY(mpi_complete_message("MPI_Irecv", &message, comm));
  MPI_TRY(mpi_check_result("MPI_Irecv", request));
  *request = mpi_request_new("MPI_Irecv", comm, &message);
  return mpi_start(*request);
}

/* ---- MPI_Recv ---- */
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  struct MPI_request_ request = {
      .call = "MPI_Recv", .comm = comm, .message = message_of(buffer, count, type, from, tag)};
  MPI_TRY(mpi_complete_message(request.call, &request.message, comm));
  MPI_TRY(mpi_start(&request));
  mpi_await(&request);
  return mpi_conclude(&request, status);
}

/* Without elements and process a type may be lacking. */
#define MPI_TRY_MESSAGE(request, asked)                            \
  do {                                                             \
    const int MPI_error_ = mpi_check_message(call, (asked), comm); \
    if (MPI_error_ != MPI_SUCCESS) {                               \
      if (MPI_error_ != MPI_NO_TYPE) return MPI_error_;            \
      (request).message.type = MPI_BYTE;                           \
    }                                                              \
  } while (0)

/* The send and the receive are under way together. */
static int exchange(const char* call, const struct mpi_message* out, const struct mpi_message* in, MPI_Comm comm,
                    MPI_Status* status) {
  struct MPI_request_ send = {.call = call, .comm = comm, .message = *out};
  struct MPI_request_ receive = {.call = call, .comm = comm, .message = *in};
  MPI_TRY_MESSAGE(receive, in);
  MPI_TRY_MESSAGE(send, out);
  MPI_TRY(mpi_start(&receive));
  MPI_TRY(mpi_start(&send));
  mpi_await(&receive);
  mpi_await(&send);
  MPI_TRY(mpi_conclude(&send, MPI_STATUS_IGNORE));
  return mpi_conclude(&receive, status);
}

/* ---- MPI_Sendrecv ---- */
int MPI_Sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  struct mpi_message out = message_of((void*)send_buffer, send_count, send_type, to, send_tag);
  out.what = SEND_STANDARD;
  const struct mpi_message in = message_of(receive_buffer, receive_count, receive_type, from, receive_tag);
  return exchange("MPI_Sendrecv", &out, &in, comm, status);
}

/* ---- MPI_Sendrecv_replace: sends a copy ---- */
int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int send_tag, int from, int receive_tag,
                         MPI_Comm comm, MPI_Status* status) {
  static const char call[] = "MPI_Sendrecv_replace";
  struct mpi_message in = message_of(buffer, count, type, from, receive_tag);
  MPI_TRY(mpi_complete_message(call, &in, comm));
  type = in.type;
  const size_t bytes = (size_t)count * type->bytes;
  void* copy = mpi_memory(bytes);
  mpi_pack(buffer, (size_t)count, type, copy);
  const struct mpi_message out = {
      .what = SEND_STANDARD, .buffer = copy, .count = (int)bytes, .type = MPI_BYTE, .peer = to, .tag = send_tag};
  const int error = exchange(call, &out, &in, comm, status);
  free(copy);
  return error;
}

/* ---- MPI_Probe, MPI_Iprobe ---- */
int mpi_probe(const char* call, int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status,
              struct transport_status* got) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_source(call, from, tag, comm));
  if (from == MPI_PROC_NULL) {
    mpi_set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    if (flag) *flag = 1;
    return MPI_SUCCESS;
  }
  const struct mpi_wanted wanted = mpi_wanted_of(from, tag, comm);
  *got = (struct transport_status){0};
  mpi_any_source_is_of(comm);
  const int found = transport_probe(wanted.from, wanted.tag, wanted.mask, !flag, got);
  mpi_any_source_is_of(NULL);
  if (flag) *flag = found;
  if (!found && got->dead) return mpi_fail_dead(comm, call, got->dead);
  if (!found) hal_tested_without_progress();
  if (found) mpi_set_status(status, mpi_rank_of(comm, got->from), (int)(got->tag & MPI_TAG_MASK), got->bytes);
  return MPI_SUCCESS;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  struct transport_status got;
  return mpi_probe("MPI_Probe", from, tag, comm, NULL, status, &got);
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  MPI_TRY(mpi_check_result("MPI_Iprobe", flag));
  struct transport_status got;
  return mpi_probe("MPI_Iprobe", from, tag, comm, flag, status, &got);
}
