/* Requests that the program cancels or frees. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/requests/buffered.h"
#include "sw/mpi/requests/generalized.h"
#include "sw/mpi/requests/persistent.h"

static struct MPI_request_** orphans(void) {
  static struct MPI_request_* list;
  return &list;
}

static void finish_done(void) {
  struct MPI_request_** link = orphans();
  while (*link) {
    struct MPI_request_* request = *link;
    if (!mpi_done(request)) {
      link = &request->next;
      continue;
    }
    *link = request->next;
    mpi_conclude(request, MPI_STATUS_IGNORE);
    mpi_request_give(request);
  }
}

/* Cancels receives that have not been matched. */
void mpi_finish_orphans(void) {
  for (struct MPI_request_* request = *orphans(); request; request = request->next) {
    if (request->message.what == RECEIVE && request->transport && transport_cancel(request->transport)) {
      request->transport = NULL;
      request->cancelled = 1;
      hal_message_over(HAL_NO_RANK, hal_rank(), 0, (uintptr_t)request);
    }
    mpi_await(request);
  }
  finish_done();
}

/* ---- MPI_Request_free: what is under way continues ---- */
int MPI_Request_free(MPI_Request* request) {
  MPI_TRY(mpi_check_running("MPI_Request_free"));
  MPI_TRY(mpi_check_request("MPI_Request_free", request));
  if (*request == MPI_REQUEST_NULL)
    return mpi_fail("MPI_Request_free", MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL; it is free already");
  if ((*request)->generalized) {
    const int error = mpi_generalized_give_away(*request);
    *request = MPI_REQUEST_NULL;
    return error;
  }
  if ((*request)->message.what == COLLECTIVE) mpi_persistent_free(*request); /* a schedule has its own handles */
  if ((*request)->active) {
    (*request)->next = *orphans();
    *orphans() = *request;
  } else {
    mpi_request_give(*request);
  }
  *request = MPI_REQUEST_NULL;
  finish_done();
  return MPI_SUCCESS;
}

/* ---- MPI_Cancel: a receive or a send that nothing has matched; others end by themselves ---- */
int MPI_Cancel(MPI_Request* request) {
  MPI_TRY(mpi_check_running("MPI_Cancel"));
  MPI_TRY(mpi_check_request("MPI_Cancel", request));
  if (*request == MPI_REQUEST_NULL || !(*request)->active)
    return mpi_fail("MPI_Cancel", MPI_ERR_REQUEST, "the request is null or inactive; there is nothing to cancel");
  if ((*request)->generalized) return mpi_generalized_cancel((*request)->generalized);
  struct MPI_request_* message = *request;
  if (message->schedule) return MPI_SUCCESS;
  if (message->message.what == SEND_BUFFERED ? mpi_buffered_cancel(message)
                                             : message->transport && transport_cancel(message->transport)) {
    message->transport = NULL;
    message->cancelled = 1;
    if (message->message.what == RECEIVE)
      hal_message_over(HAL_NO_RANK, hal_rank(), 0, (uintptr_t)message);
    else
      hal_message_over(hal_rank(), (int)mpi_process(message->comm, message->message.peer),
                       mpi_tag(message->comm, message->message.tag), 0);
  }
  return MPI_SUCCESS;
}

/* ---- MPI_Test_cancelled ---- */
int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  MPI_TRY(mpi_check_result("MPI_Test_cancelled", status && flag ? flag : NULL));
  *flag = status->cancelled_;
  return MPI_SUCCESS;
}
