/* Receiving and probing. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

struct wanted {
  unsigned from;
  uint64_t tag, mask;
};

/* What MPI's source and tag mean to the transport. */
static struct wanted wanted_of(const char* call, int from, int tag, MPI_Comm comm) {
  struct wanted wanted = {.from = TRANSPORT_ANY, .mask = UINT64_MAX};
  if (from != MPI_ANY_SOURCE) {
    mpi_check_rank(call, from, comm);
    wanted.from = mpi_process(comm, from);
  }
  if (tag == MPI_ANY_TAG) {
    wanted.mask = MPI_CONTEXT_MASK;
    wanted.tag = mpi_tag(comm, 0);
  } else {
    mpi_check_tag(call, tag);
    wanted.tag = mpi_tag(comm, tag);
  }
  return wanted;
}

static struct mpi_request start(const char* call, void* buffer, int count, MPI_Datatype type, int from, int tag,
                                MPI_Comm comm) {
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  mpi_check_comm(call, comm);
  mpi_check_data(call, buffer, count, type);
  struct mpi_request request = {.call = call, .comm = comm, .room = (size_t)count * type->bytes, .receives = 1};
  if (from == MPI_PROC_NULL) return request;
  const struct wanted wanted = wanted_of(call, from, tag, comm);
  request.transport = transport_receive(wanted.from, wanted.tag, wanted.mask, buffer, request.room);
  return request;
}

/* ---- MPI_Irecv ---- */
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  const struct mpi_request started = start("MPI_Irecv", buffer, count, type, from, tag, comm);
  *request = malloc(sizeof **request);
  **request = started;
  return MPI_SUCCESS;
}

/* ---- MPI_Recv ---- */
int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  struct mpi_request request = start("MPI_Recv", buffer, count, type, from, tag, comm);
  return mpi_finish(&request, status);
}

/* ---- MPI_Sendrecv ---- */
int MPI_Sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  struct mpi_request receive =
      start("MPI_Sendrecv", receive_buffer, receive_count, receive_type, from, receive_tag, comm);
  MPI_Request send;
  MPI_Isend(send_buffer, send_count, send_type, to, send_tag, comm, &send);
  mpi_finish(&receive, status);
  return MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static int probe(const char* call, int from, int tag, MPI_Comm comm, int wait, MPI_Status* status) {
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  mpi_check_comm(call, comm);
  struct transport_status got = {0};
  if (from == MPI_PROC_NULL) {
    mpi_set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    return 1;
  }
  const struct wanted wanted = wanted_of(call, from, tag, comm);
  if (!transport_probe(wanted.from, wanted.tag, wanted.mask, wait, &got)) return 0;
  mpi_set_status(status, mpi_rank_of(comm, got.from), (int)(got.tag & MPI_TAG_MASK), got.bytes);
  return 1;
}

/* ---- MPI_Probe ---- */
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  probe("MPI_Probe", from, tag, comm, 1, status);
  return MPI_SUCCESS;
}

/* ---- MPI_Iprobe ---- */
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  *flag = probe("MPI_Iprobe", from, tag, comm, 0, status);
  return MPI_SUCCESS;
}
