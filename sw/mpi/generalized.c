/* Generalized requests (MPI-2, 8.2): the program's own operations; the program says when they are done. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

struct mpi_generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* release;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
  int complete, given_away;
};

/* ---- for requests ---- */
int mpi_generalized_done(const struct mpi_generalized* operation) { return operation->complete; }

void mpi_generalized_refuse_wait(void) {
  char text[160];
  snprintf(text, sizeof text,
           "%s: the request of MPI_Grequest_start is not complete, and a process that waits cannot call "
           "MPI_Grequest_complete; call it before",
           mpi_present_call());
  hal_abort(text);
}

int mpi_generalized_query(const struct mpi_generalized* operation, MPI_Status* status) {
  MPI_Status unwanted;
  MPI_Status* const asked = status == MPI_STATUS_IGNORE ? &unwanted : status;
  mpi_empty_status(asked);
  return operation->query(operation->extra, asked);
}

int mpi_generalized_cancel(const struct mpi_generalized* operation) {
  return operation->cancel(operation->extra, operation->complete);
}

int mpi_generalized_free(struct mpi_generalized* operation) {
  const int error = operation->release(operation->extra);
  free(operation);
  return error;
}

int mpi_generalized_give_away(struct MPI_request_* request) {
  int error = MPI_SUCCESS;
  request->generalized->given_away = !request->generalized->complete; /* its completion frees it */
  if (request->generalized->given_away) return error;
  error = mpi_generalized_free(request->generalized);
  mpi_request_give(request);
  return error;
}

/* ---- MPI_Grequest_start ---- */
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request) {
  static const char call[] = "MPI_Grequest_start";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, request));
  if (!query || !release || !cancel) return mpi_fail(call, MPI_ERR_ARG, "one of the functions is a null pointer");
  *request = mpi_request_new(call, MPI_COMM_SELF, NULL);
  (*request)->active = 1;
  (*request)->generalized = mpi_memory(sizeof(struct mpi_generalized));
  *(*request)->generalized =
      (struct mpi_generalized){.query = query, .release = release, .cancel = cancel, .extra = extra};
  return MPI_SUCCESS;
}

/* ---- MPI_Grequest_complete ---- */
int MPI_Grequest_complete(MPI_Request request) {
  static const char call[] = "MPI_Grequest_complete";
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_request(call, &request));
  if (request == MPI_REQUEST_NULL || !request->generalized)
    return mpi_fail(call, MPI_ERR_REQUEST, "the request is not one of MPI_Grequest_start");
  request->generalized->complete = 1;
  return request->generalized->given_away ? mpi_generalized_give_away(request) : MPI_SUCCESS;
}
