/* Starts and frees what a persistent collective operation has prepared. */
#include "sw/mpi/requests/persistent.h"

#include <stdlib.h>

#include "sw/mpi/base/errors.h"
#include "sw/mpi/datatypes/datatype.h"
#include "sw/mpi/datatypes/op.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/requests/section.h"

static void release_types(const MPI_Datatype* types, int count) {
  if (!types || count < 1) return;
  for (int i = 0; i < count; ++i) mpi_type_release(types[i]);
  free((void*)types);
}

void mpi_persistent_free(MPI_Request request) {
  struct mpi_persistent* operation = request->message.buffer;
  if (request->active) {
    request->persistent = 0; /* its end frees the copies */
  } else {
    mpi_staged_free(request->staged);
    request->staged = NULL;
  }
  release_types(operation->send_types, operation->send_types_count);
  release_types(operation->receive_types, operation->receive_types_count);
  if (operation->send_type) mpi_type_release(operation->send_type);
  if (operation->receive_type) mpi_type_release(operation->receive_type);
  if (operation->op) mpi_op_release(operation->op);
  free(operation);
}

/* The request takes the schedule of a nonblocking operation. */
int mpi_persistent_start(MPI_Request request) {
  const struct mpi_persistent* operation = request->message.buffer;
  const struct mpi_numbers now = mpi_numbers_of(operation->comm);
  MPI_Request started = MPI_REQUEST_NULL;
  mpi_staged_in(request->staged);
  mpi_set_numbers(operation->comm, (struct mpi_numbers){operation->number, operation->local_number});
  const int error = operation->start(operation, &started);
  mpi_set_numbers(operation->comm, now);
  MPI_TRY(error);
  request->schedule = started->schedule;
  request->active = 1;
  mpi_request_give(started);
  return MPI_SUCCESS;
}
