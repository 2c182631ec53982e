/* Errors of the program: the checks that find them, and their messages. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/type.h"

/* The current call, and its communicator, whose handler gets the errors. */
struct present {
  MPI_Comm comm;
  const char* call;
};

static struct present* present(void) {
  static struct present call = {.comm = MPI_COMM_WORLD, .call = "MPI_Init"};
  return &call;
}

const char* mpi_present_call(void) { return present()->call; }

static int report(MPI_Comm comm, const char* call, int code, const char* format, va_list arguments) {
  struct MPI_errhandler_* handler = comm->handler ? comm->handler : MPI_ERRORS_ARE_FATAL;
  if (handler == MPI_ERRORS_RETURN) return code;
  if (handler->function) {
    handler->function(&comm, &code);
    return code;
  }
  char what[256], text[384];
  vsnprintf(what, sizeof what, format, arguments);
  snprintf(text, sizeof text, "%s: %s (%s)", call, what, mpi_error_name(code));
  hal_abort(text);
}

int mpi_fail(const char* call, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(present()->comm, call, code, format, arguments);
  va_end(arguments);
  return code;
}

int mpi_fail_on(MPI_Comm comm, const char* call, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(comm, call, code, format, arguments);
  va_end(arguments);
  return code;
}

/* ---- checks ---- */
int mpi_check_running(const char* call) {
  *present() = (struct present){.comm = MPI_COMM_WORLD, .call = call};
  if (MPI_comm_world_.size == 0)
    return mpi_fail(call, MPI_ERR_OTHER, "MPI is not running; call MPI_Init first, MPI_Finalize last");
  return MPI_SUCCESS;
}

int mpi_check_comm(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_running(call));
  if (comm == MPI_COMM_NULL) return mpi_fail(call, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
  if (comm->object.references == 0)
    return mpi_fail(call, MPI_ERR_COMM, "the communicator has been freed; use it before MPI_Comm_free");
  present()->comm = comm;
  return MPI_SUCCESS;
}

int mpi_check_type(const char* call, MPI_Datatype type) {
  if (!type) return mpi_fail(call, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
  if (type->references == 0)
    return mpi_fail(call, MPI_ERR_TYPE, "the datatype has been freed; use it before MPI_Type_free");
  return MPI_SUCCESS;
}

int mpi_check_lone_type(const char* call, MPI_Datatype type) {
  MPI_TRY(mpi_check_running(call));
  return mpi_check_type(call, type);
}

int mpi_check_data(const char* call, const void* buffer, int count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE) /* callers that permit it have replaced it by a buffer */
    return mpi_fail(call, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning for this argument, or not at this rank");
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  MPI_TRY(mpi_check_type(call, type));
  if (!type->committed)
    return mpi_fail(call, MPI_ERR_TYPE, "the datatype has not been committed; call MPI_Type_commit first");
  if (!buffer && count > 0 && type->predefined) /* other types may hold addresses, relative to MPI_BOTTOM */
    return mpi_fail(call, MPI_ERR_BUFFER, "the buffer is a null pointer");
  return MPI_SUCCESS;
}

/* The same for messages, and the same instructions in the usual case. */
__attribute__((noinline)) static int check_type_if_any(const char* call, MPI_Datatype type) {
  if (!type) return MPI_NO_TYPE;
  if (type->references == 0)
    return mpi_fail(call, MPI_ERR_TYPE, "the datatype has been freed; use it before MPI_Type_free");
  return MPI_SUCCESS;
}

int mpi_check_message_data(const char* call, const void* buffer, int count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE) /* callers that permit it have replaced it by a buffer */
    return mpi_fail(call, MPI_ERR_BUFFER, "MPI_IN_PLACE has no meaning for this argument, or not at this rank");
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  MPI_TRY(check_type_if_any(call, type));
  if (!type->committed)
    return mpi_fail(call, MPI_ERR_TYPE, "the datatype has not been committed; call MPI_Type_commit first");
  if (!buffer && count > 0 && type->predefined) /* other types may hold addresses, relative to MPI_BOTTOM */
    return mpi_fail(call, MPI_ERR_BUFFER, "the buffer is a null pointer");
  return MPI_SUCCESS;
}

int mpi_check_rank(const char* call, int rank, MPI_Comm comm) {
  if (rank < 0 || rank >= comm->size)
    return mpi_fail_on(comm, call, MPI_ERR_RANK, "there is no rank %d; the communicator has ranks 0..%d", rank,
                       comm->size - 1);
  return MPI_SUCCESS;
}

int mpi_check_root(const char* call, int root, MPI_Comm comm) {
  if (root < 0 || root >= comm->size)
    return mpi_fail_on(comm, call, MPI_ERR_ROOT, "the root is %d; the communicator has ranks 0..%d", root,
                       comm->size - 1);
  return MPI_SUCCESS;
}

int mpi_check_tag(const char* call, int tag) {
  if (tag < 0) return mpi_fail(call, MPI_ERR_TAG, "the tag is %d; it must be 0 or more", tag);
  return MPI_SUCCESS;
}

int mpi_check_group(const char* call, MPI_Group group) {
  MPI_TRY(mpi_check_running(call));
  if (!group) return mpi_fail(call, MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
  if (group->object.references == 0)
    return mpi_fail(call, MPI_ERR_GROUP, "the group has been freed; use it before MPI_Group_free");
  return MPI_SUCCESS;
}

int mpi_check_result(const char* call, const void* place) {
  if (!place) return mpi_fail(call, MPI_ERR_ARG, "the place for a result is a null pointer");
  return MPI_SUCCESS;
}
