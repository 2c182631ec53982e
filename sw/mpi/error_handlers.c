/* Error handlers of communicators, and the texts of errors. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/internal.h"

struct mpi_errhandler mpi_errors_are_fatal_ = {.object = {1}};
struct mpi_errhandler mpi_errors_return_ = {.object = {1}};

static int is_predefined(MPI_Errhandler handler) {
  return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN;
}

static int create(const char* call, MPI_Handler_function* function, MPI_Errhandler* handler) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, handler));
  if (!function) return mpi_fail(call, MPI_ERR_ARG, "the function is a null pointer");
  *handler = malloc(sizeof **handler);
  **handler = (struct mpi_errhandler){.object = {1}, .function = function};
  return MPI_SUCCESS;
}

/* Handlers are few and small: those that a communicator may still have stay. */
static int set(const char* call, MPI_Comm comm, MPI_Errhandler handler) {
  MPI_TRY(mpi_check_comm(call, comm));
  if (!handler) return mpi_fail(call, MPI_ERR_ARG, "the handler is MPI_ERRHANDLER_NULL; take MPI_ERRORS_RETURN");
  comm->handler = handler;
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

/* ---- MPI_Error_class, MPI_Error_string ---- */
static const char* const texts[MPI_ERR_LASTCODE] = {
    [MPI_SUCCESS] = "MPI_SUCCESS: no error",
    [MPI_ERR_BUFFER] = "MPI_ERR_BUFFER: invalid buffer pointer",
    [MPI_ERR_COUNT] = "MPI_ERR_COUNT: invalid count",
    [MPI_ERR_TYPE] = "MPI_ERR_TYPE: invalid datatype",
    [MPI_ERR_TAG] = "MPI_ERR_TAG: invalid tag",
    [MPI_ERR_COMM] = "MPI_ERR_COMM: invalid communicator",
    [MPI_ERR_RANK] = "MPI_ERR_RANK: invalid rank",
    [MPI_ERR_REQUEST] = "MPI_ERR_REQUEST: invalid request",
    [MPI_ERR_ROOT] = "MPI_ERR_ROOT: invalid root",
    [MPI_ERR_GROUP] = "MPI_ERR_GROUP: invalid group",
    [MPI_ERR_OP] = "MPI_ERR_OP: invalid operation",
    [MPI_ERR_TOPOLOGY] = "MPI_ERR_TOPOLOGY: invalid topology",
    [MPI_ERR_DIMS] = "MPI_ERR_DIMS: invalid dimensions",
    [MPI_ERR_ARG] = "MPI_ERR_ARG: invalid argument",
    [MPI_ERR_UNKNOWN] = "MPI_ERR_UNKNOWN: unknown error",
    [MPI_ERR_TRUNCATE] = "MPI_ERR_TRUNCATE: message longer than the buffer",
    [MPI_ERR_OTHER] = "MPI_ERR_OTHER: another error",
    [MPI_ERR_INTERN] = "MPI_ERR_INTERN: internal error",
    [MPI_ERR_IN_STATUS] = "MPI_ERR_IN_STATUS: the error is in the status",
    [MPI_ERR_PENDING] = "MPI_ERR_PENDING: the request is not done",
    [MPI_ERR_KEYVAL] = "MPI_ERR_KEYVAL: invalid key of an attribute",
    [MPI_ERR_NO_MEM] = "MPI_ERR_NO_MEM: no memory left",
    [MPI_ERR_INFO] = "MPI_ERR_INFO: invalid info",
    [MPI_ERR_INFO_KEY] = "MPI_ERR_INFO_KEY: invalid key of an info",
    [MPI_ERR_INFO_VALUE] = "MPI_ERR_INFO_VALUE: invalid value of an info",
    [MPI_ERR_INFO_NOKEY] = "MPI_ERR_INFO_NOKEY: the info has no such key",
    [MPI_ERR_WIN] = "MPI_ERR_WIN: invalid window",
    [MPI_ERR_BASE] = "MPI_ERR_BASE: invalid base of a window",
    [MPI_ERR_SIZE] = "MPI_ERR_SIZE: invalid size",
    [MPI_ERR_DISP] = "MPI_ERR_DISP: invalid displacement",
    [MPI_ERR_LOCKTYPE] = "MPI_ERR_LOCKTYPE: invalid kind of lock",
    [MPI_ERR_ASSERT] = "MPI_ERR_ASSERT: invalid assertion",
    [MPI_ERR_UNSUPPORTED_OPERATION] = "MPI_ERR_UNSUPPORTED_OPERATION: not supported",
};

static int check_code(const char* call, int code, const void* place) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, place));
  if (code < 0 || code >= MPI_ERR_LASTCODE)
    return mpi_fail(call, MPI_ERR_ARG, "there is no error %d; codes are 0..%d", code, MPI_ERR_LASTCODE - 1);
  return MPI_SUCCESS;
}

int MPI_Error_class(int code, int* error_class) {
  MPI_TRY(check_code("MPI_Error_class", code, error_class));
  *error_class = code;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char* text, int* length) {
  MPI_TRY(check_code("MPI_Error_string", code, text && length ? text : NULL));
  strcpy(text, texts[code]);
  *length = (int)strlen(text);
  return MPI_SUCCESS;
}
