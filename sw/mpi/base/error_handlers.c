/* Error handlers of communicators. */
#include <stdlib.h>

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/memory.h"

struct MPI_errhandler_ MPI_errors_are_fatal_ = {.object = {1}};
struct MPI_errhandler_ MPI_errors_return_ = {.object = {1}};

static int is_predefined(MPI_Errhandler handler) {
  return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN;
}

static int create(const char* call, MPI_Handler_function* function, MPI_Errhandler* handler) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, handler));
  if (!function) return mpi_fail(call, MPI_ERR_ARG, "the function is a null pointer");
  *handler = mpi_memory(sizeof **handler);
  **handler = (struct MPI_errhandler_){.object = {1}, .function = function};
  return MPI_SUCCESS;
}

/* Handlers are few and small, so those that a communicator may still use are kept. */
static int set(const char* call, MPI_Comm comm, MPI_Errhandler handler) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (!handler) return mpi_fail(call, MPI_ERR_ARG, "the handler is MPI_ERRHANDLER_NULL; take MPI_ERRORS_RETURN");
  comm->handler = handler;
  if (comm->local) comm->local->handler = handler; /* parts of its collective operations run on that communicator */
  return MPI_SUCCESS;
}

static int get(const char* call, MPI_Comm comm, MPI_Errhandler* handler) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_result(call, handler));
  *handler = comm->handler ? comm->handler : MPI_ERRORS_ARE_FATAL;
  return MPI_SUCCESS;
}

/* ---- MPI_Errhandler_create, MPI_Comm_create_errhandler ---- */
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Errhandler_create", function, handler);
}

int MPI_Comm_create_errhandler(MPI_Handler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Comm_create_errhandler", function, handler);
}

/* ---- MPI_Errhandler_set, MPI_Comm_set_errhandler ---- */
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) { return set("MPI_Errhandler_set", comm, handler); }

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Comm_set_errhandler", comm, handler);
}

/* ---- MPI_Errhandler_get, MPI_Comm_get_errhandler ---- */
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) { return get("MPI_Errhandler_get", comm, handler); }

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Comm_get_errhandler", comm, handler);
}

/* ---- MPI_Errhandler_free ---- */
int MPI_Errhandler_free(MPI_Errhandler* handler) {
  MPI_TRY(mpi_check_running("MPI_Errhandler_free"));
  if (!handler || !*handler) return mpi_fail("MPI_Errhandler_free", MPI_ERR_ARG, "the handler is MPI_ERRHANDLER_NULL");
  if (!is_predefined(*handler)) (*handler)->object.references = 0;
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_call_errhandler ---- */
int MPI_Comm_call_errhandler(MPI_Comm comm, int code) {
  MPI_TRY(mpi_check_comm("MPI_Comm_call_errhandler", comm));
  mpi_fail("MPI_Comm_call_errhandler", code, "the program reports an error");
  return MPI_SUCCESS;
}
