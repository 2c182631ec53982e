/* Testing whether requests are done. */
#include "sw/hal/hal.h"
#include "sw/mpi/requests/request.h"
#include "sw/mpi/requests/section.h"
#include "sw/mpi/requests/some.h"

/* Returns from a test; one without success takes time. */
static int found(int flag) {
  if (!flag) hal_tested_without_progress();
  return flag;
}

/* ---- MPI_Test ---- */
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  MPI_TRY(mpi_check_running("MPI_Test"));
  MPI_TRY(mpi_check_request("MPI_Test", request));
  MPI_TRY(mpi_check_result("MPI_Test", flag));
  *flag = found(mpi_done(*request));
  return *flag ? mpi_conclude_handle(request, status) : MPI_SUCCESS;
}

/* ---- MPI_Testall ---- */
int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  MPI_TRY(mpi_check_requests("MPI_Testall", count, requests));
  MPI_TRY(mpi_check_result("MPI_Testall", flag));
  *flag = 1;
  for (int i = 0; i < count; ++i) *flag &= mpi_done(requests[i]);
  return found(*flag) ? mpi_conclude_all(count, requests, statuses) : MPI_SUCCESS;
}

/* ---- MPI_Testany ---- */
int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  MPI_TRY(mpi_check_requests("MPI_Testany", count, requests));
  MPI_TRY(mpi_check_result("MPI_Testany", index && flag ? index : NULL));
  *index = MPI_UNDEFINED;
  *flag = !mpi_any_active(count, requests) || mpi_any_done(count, requests);
  return found(*flag) ? mpi_conclude_first(count, requests, index, status) : MPI_SUCCESS;
}

/* ---- MPI_Testsome ---- */
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  MPI_TRY(mpi_check_requests("MPI_Testsome", count, requests));
  MPI_TRY(mpi_check_result("MPI_Testsome", indices || count == 0 ? done : NULL));
  const int error = mpi_conclude_some(count, requests, done, indices, statuses);
  found(*done != 0);
  return error;
}

/* ---- MPI_Request_get_status: the request stays, but a caller that learns of its end may read the buffer ---- */
int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  MPI_TRY(mpi_check_running("MPI_Request_get_status"));
  MPI_TRY(mpi_check_request("MPI_Request_get_status", &request));
  MPI_TRY(mpi_check_result("MPI_Request_get_status", flag));
  *flag = found(mpi_done(request));
  if (!*flag) return MPI_SUCCESS;
  mpi_deliver(request);
  if (request) mpi_staged_out(request->staged);
  return mpi_peek(request, status);
}
