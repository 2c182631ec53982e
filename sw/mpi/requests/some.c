/* Several requests at once. */
#include "sw/mpi/requests/some.h"

#include "sw/hal/hal.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/requests/schedule.h"

int mpi_check_requests(const char* call, int count, MPI_Request* requests) {
  MPI_TRY(mpi_check_running(call));
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  if (count > 0 && !requests) return mpi_fail(call, MPI_ERR_REQUEST, "the requests are a null pointer");
  for (int i = 0; i < count; ++i) MPI_TRY(mpi_check_request(call, &requests[i]));
  return MPI_SUCCESS;
}

static int is_active(MPI_Request request) { return request != MPI_REQUEST_NULL && request->active; }

int mpi_any_active(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (is_active(requests[i])) return 1;
  return 0;
}

/* No progress between the tests: a request that was tested before could end, and a wait for the others would miss
 * it. */
int mpi_any_done(int count, const MPI_Request* requests) {
  mpi_progress();
  for (int i = 0; i < count; ++i)
    if (is_active(requests[i]) && mpi_has_ended(requests[i])) return 1;
  return 0;
}

static MPI_Status* at(MPI_Status* statuses, int i) { return statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i]; }

int mpi_conclude_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int failed = 0;
  for (int i = 0; i < count; ++i) {
    const int error = mpi_conclude_handle(&requests[i], at(statuses, i));
    if (error != MPI_SUCCESS && !failed++)
      for (int before = 0; at(statuses, 0) && before < i; ++before) statuses[before].MPI_ERROR = MPI_SUCCESS;
    if (failed && at(statuses, i)) statuses[i].MPI_ERROR = error;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int mpi_conclude_first(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  for (int i = 0; i < count; ++i)
    if (is_active(requests[i]) && mpi_done(requests[i])) {
      *index = i;
      return mpi_conclude_handle(&requests[i], status);
    }
  *index = MPI_UNDEFINED;
  mpi_empty_status(status);
  return MPI_SUCCESS;
}

int mpi_conclude_some(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  int failed = 0;
  *done = mpi_any_active(count, requests) ? 0 : MPI_UNDEFINED;
  for (int i = 0; i < count; ++i) {
    if (!is_active(requests[i]) || !mpi_done(requests[i])) continue;
    const int error = mpi_conclude_handle(&requests[i], at(statuses, *done));
    if (error != MPI_SUCCESS && !failed++)
      for (int before = 0; at(statuses, 0) && before < *done; ++before) statuses[before].MPI_ERROR = MPI_SUCCESS;
    if (failed && at(statuses, *done)) statuses[*done].MPI_ERROR = error;
    indices[(*done)++] = i;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}
