/* Waiting until requests are done. */
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/requests/some.h"

static int wait_one(MPI_Request* request, MPI_Status* status) {
  if (*request != MPI_REQUEST_NULL) {
    mpi_await(*request);
  }
  return mpi_conclude_handle(request, status);
}

/* ---- MPI_Wait ---- */
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  MPI_TRY(mpi_check_running("MPI_Wait"));
  MPI_TRY(mpi_check_request("MPI_Wait", request));
  return wait_one(request, status);
}

/* ---- MPI_Waitall ---- */
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  MPI_TRY(mpi_check_requests("MPI_Waitall", count, requests));
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) mpi_await(requests[i]);
  return mpi_conclude_all(count, requests, statuses);
}

/* Sleeps until one of them is done. Returns 0 if none is active. */
static int wait_for_some(int count, const MPI_Request* requests) {
  if (!mpi_any_active(count, requests)) return 0;
  struct transport_request** pending = mpi_memory((size_t)count * sizeof *pending);
  while (!mpi_any_done(count, requests)) {
    size_t used = 0, others = 0;
    for (int i = 0; i < count; ++i)
      if (mpi_pending(requests[i]))
        pending[used++] = mpi_pending(requests[i]);
      else if (requests[i] && requests[i]->generalized)
        others = SIZE_MAX;
    /* Accesses of files, and what other threads complete, end by themselves. */
    if (used > others || !mpi_generalized_pause(count, requests, used > 0)) transport_wait_any(pending, used);
  }
  free(pending);
  return 1;
}

/* ---- MPI_Waitany ---- */
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  MPI_TRY(mpi_check_requests("MPI_Waitany", count, requests));
  MPI_TRY(mpi_check_result("MPI_Waitany", index));
  wait_for_some(count, requests);
  return mpi_conclude_first(count, requests, index, status);
}

/* ---- MPI_Waitsome ---- */
int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  MPI_TRY(mpi_check_requests("MPI_Waitsome", count, requests));
  MPI_TRY(mpi_check_result("MPI_Waitsome", indices || count == 0 ? done : NULL));
  wait_for_some(count, requests);
  return mpi_conclude_some(count, requests, done, indices, statuses);
}
