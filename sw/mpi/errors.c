/* Errors of the program end its job with one line, as MPI_ERRORS_ARE_FATAL says. */
#include <stdarg.h>
#include <stdio.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

int mpi_fail(const char* call, int code, const char* format, ...) {
  char what[256], text[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(text, sizeof text, "%s: %s (MPI error %d)", call, what, code);
  hal_abort(text);
}

void mpi_check_comm(const char* call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) mpi_fail(call, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  if (comm->size == 0) mpi_fail(call, MPI_ERR_OTHER, "MPI is not running; call MPI_Init first, MPI_Finalize last");
}

void mpi_check_data(const char* call, const void* buffer, int count, MPI_Datatype type) {
  if (count < 0) mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  if (!type) mpi_fail(call, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  if (!buffer && count > 0) mpi_fail(call, MPI_ERR_BUFFER, "the buffer is a null pointer");
}

void mpi_check_rank(const char* call, int rank, MPI_Comm comm) {
  if (rank < 0 || rank >= comm->size)
    mpi_fail(call, MPI_ERR_RANK, "there is no rank %d; the communicator has ranks 0..%d", rank, comm->size - 1);
}

void mpi_check_tag(const char* call, int tag) {
  if (tag < 0) mpi_fail(call, MPI_ERR_TAG, "the tag is %d; it must be 0 or more", tag);
}
