/* Errors of files: they go to the file's handler, which returns codes unless the program sets another. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"
#include "sw/mpi/files/file.h"

static struct MPI_errhandler_** handler_of_null(void) {
  static struct MPI_errhandler_* handler = MPI_ERRORS_RETURN;
  return &handler;
}

struct MPI_errhandler_* mpi_file_default_handler(void) {
  return *handler_of_null();
}

/* ---- reports ---- */
static int report(MPI_File file, const char* call, int code, const char* what) {
  struct MPI_errhandler_* const handler = file ? file->handler : *handler_of_null();
  if (handler == MPI_ERRORS_RETURN) return code;
  if (handler->function) {
    ((MPI_File_errhandler_function*)handler->function)(&file, &code);
    return code;
  }
  char text[512];
  snprintf(text, sizeof text, "%s: %s (%s)", call, what, mpi_error_name(code));
  hal_abort(text);
}

int mpi_file_fail(MPI_File file, const char* call, int code, const char* format, ...) {
  char what[384];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return report(file, call, code, what);
}

int mpi_error_of_errno(int error) {
  switch (error) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    case ENOSPC:
    case EFBIG:
      return MPI_ERR_NO_SPACE;
    case EDQUOT:
      return MPI_ERR_QUOTA;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
      return MPI_ERR_BAD_FILE;
    case EBUSY:
    case ETXTBSY:
      return MPI_ERR_FILE_IN_USE;
    default:
      return MPI_ERR_IO;
  }
}

int mpi_file_fail_errno(MPI_File file, const char* call, int error, const char* what) {
  return mpi_file_fail(file, call, mpi_error_of_errno(error), "%s: %s", what, strerror(error));
}

int mpi_check_file(const char* call, MPI_File file) {
  MPI_TRY(mpi_check_running(call));
  if (file == MPI_FILE_NULL) return mpi_file_fail(NULL, call, MPI_ERR_FILE, "the file is MPI_FILE_NULL");
  if (file->object.references == 0)
    return mpi_file_fail(NULL, call, MPI_ERR_FILE, "the file has been closed; use it before MPI_File_close");
  return MPI_SUCCESS;
}

/* ---- handlers ---- */
int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
  static const char call[] = "MPI_File_create_errhandler";
  MPI_TRY(mpi_check_running(call));
  if (!function || !handler) return mpi_file_fail(NULL, call, MPI_ERR_ARG, "an argument is a null pointer");
  *handler = mpi_memory(sizeof **handler);
  **handler = (struct MPI_errhandler_){.object = {1}, .function = (MPI_Handler_function*)function};
  return MPI_SUCCESS;
}

/* MPI_FILE_NULL stands for the files that are opened later, and for errors without a file. */
static int check_place(const char* call, MPI_File file, const void* place) {
  MPI_TRY(file == MPI_FILE_NULL ? mpi_check_running(call) : mpi_check_file(call, file));
  if (!place) return mpi_file_fail(file, call, MPI_ERR_ARG, "the handler is MPI_ERRHANDLER_NULL, or its place is null");
  return MPI_SUCCESS;
}

int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler) {
  MPI_TRY(check_place("MPI_File_set_errhandler", file, handler));
  *(file ? &file->handler : handler_of_null()) = handler;
  return MPI_SUCCESS;
}

int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* handler) {
  MPI_TRY(check_place("MPI_File_get_errhandler", file, handler));
  *handler = file ? file->handler : *handler_of_null();
  return MPI_SUCCESS;
}

int MPI_File_call_errhandler(MPI_File file, int code) {
  static const char call[] = "MPI_File_call_errhandler";
  MPI_TRY(file == MPI_FILE_NULL ? mpi_check_running(call) : mpi_check_file(call, file));
  mpi_file_fail(file, call, code, "the program reports an error");
  return MPI_SUCCESS;
}
