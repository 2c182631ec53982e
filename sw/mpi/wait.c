/* Ends of sends and receives. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

void mpi_set_status(MPI_Status* status, int source, int tag, size_t bytes) {
  if (status != MPI_STATUS_IGNORE)
    *status = (MPI_Status){.MPI_SOURCE = source, .MPI_TAG = tag, .MPI_ERROR = MPI_SUCCESS, .bytes_ = bytes};
}

static int conclude(const struct mpi_request* request, const struct transport_status* got, MPI_Status* status) {
  if (!request->receives || !request->transport) {
    mpi_set_status(status, request->receives ? MPI_PROC_NULL : MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  const int source = mpi_rank_of(request->comm, got->from), tag = (int)(got->tag & MPI_TAG_MASK);
  if (got->bytes > request->room)
    return mpi_fail(request->call, MPI_ERR_TRUNCATE,
                    "the message from rank %d with tag %d has %zu bytes, the buffer %zu; make the buffer larger",
                    source, tag, got->bytes, request->room);
  mpi_set_status(status, source, tag, got->bytes);
  return MPI_SUCCESS;
}

int mpi_finish(struct mpi_request* request, MPI_Status* status) {
  struct transport_status got = {0};
  if (request->transport) transport_wait(request->transport, &got);
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  return conclude(request, &got, status);
}

/* ---- MPI_Wait ---- */
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) {
    mpi_set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    return MPI_SUCCESS;
  }
  const int result = mpi_finish(*request, status);
  free(*request);
  *request = MPI_REQUEST_NULL;
  return result;
}

/* ---- MPI_Waitall ---- */
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) MPI_Wait(&requests[i], statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i]);
  return MPI_SUCCESS;
}

/* ---- MPI_Test: takes time, so that a program that spins gets on ---- */
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  *flag = 1;
  if (*request == MPI_REQUEST_NULL || !(*request)->transport) return MPI_Wait(request, status);
  struct transport_status got = {0};
  *flag = transport_test((*request)->transport, &got);
  if (!*flag) return MPI_SUCCESS;
  const int result = conclude(*request, &got, status);
  free(*request);
  *request = MPI_REQUEST_NULL;
  return result;
}

/* ---- MPI_Get_count ---- */
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  mpi_check_data("MPI_Get_count", status, 1, type);
  *count = status->bytes_ % type->bytes == 0 ? (int)(status->bytes_ / type->bytes) : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
