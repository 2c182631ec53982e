/* Sending. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* Null for MPI_PROC_NULL. */
static struct transport_request* start(const char* call, const void* buffer, int count, MPI_Datatype type, int to,
                                       int tag, MPI_Comm comm, int flags) {
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  mpi_check_comm(call, comm);
  mpi_check_data(call, buffer, count, type);
  mpi_check_tag(call, tag);
  if (to == MPI_PROC_NULL) return NULL;
  mpi_check_rank(call, to, comm);
  return transport_send(mpi_process(comm, to), mpi_tag(comm, tag), buffer, (size_t)count * type->bytes, flags);
}

static int send(const char* call, const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                int flags) {
  struct transport_request* request = start(call, buffer, count, type, to, tag, comm, flags);
  if (request) transport_wait(request, NULL);
  return MPI_SUCCESS;
}

static int send_later(const char* call, const void* buffer, int count, MPI_Datatype type, int to, int tag,
                      MPI_Comm comm, int flags, MPI_Request* request) {
  struct transport_request* started = start(call, buffer, count, type, to, tag, comm, flags);
  *request = malloc(sizeof **request);
  **request = (struct mpi_request){.transport = started, .call = call, .comm = comm};
  return MPI_SUCCESS;
}

/* ---- MPI_Send ---- */
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return send("MPI_Send", buffer, count, type, to, tag, comm, 0);
}

/* ---- MPI_Ssend ---- */
int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return send("MPI_Ssend", buffer, count, type, to, tag, comm, TRANSPORT_SYNCHRONOUS);
}

/* ---- MPI_Isend ---- */
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Isend", buffer, count, type, to, tag, comm, 0, request);
}

/* ---- MPI_Issend ---- */
int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return send_later("MPI_Issend", buffer, count, type, to, tag, comm, TRANSPORT_SYNCHRONOUS, request);
}
