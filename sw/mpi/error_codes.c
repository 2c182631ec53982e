/* Error codes: the standard's, each of which is its own class, and above them the program's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/internal.h"

static const char* const texts[MPI_ERR_LASTCODE + 1] = {
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
    [MPI_ERR_RMA_CONFLICT] = "MPI_ERR_RMA_CONFLICT: accesses to a window that conflict",
    [MPI_ERR_RMA_SYNC] = "MPI_ERR_RMA_SYNC: wrong synchronisation of a window",
    [MPI_ERR_RMA_RANGE] = "MPI_ERR_RMA_RANGE: memory outside a window",
    [MPI_ERR_RMA_ATTACH] = "MPI_ERR_RMA_ATTACH: memory that cannot be attached",
    [MPI_ERR_RMA_SHARED] = "MPI_ERR_RMA_SHARED: memory that cannot be shared",
    [MPI_ERR_RMA_FLAVOR] = "MPI_ERR_RMA_FLAVOR: a window of another kind",
    [MPI_ERR_ACCESS] = "MPI_ERR_ACCESS: permission denied",
    [MPI_ERR_AMODE] = "MPI_ERR_AMODE: invalid mode of access",
    [MPI_ERR_BAD_FILE] = "MPI_ERR_BAD_FILE: invalid name of a file",
    [MPI_ERR_CONVERSION] = "MPI_ERR_CONVERSION: error in a conversion of data",
    [MPI_ERR_DUP_DATAREP] = "MPI_ERR_DUP_DATAREP: the representation of data is known already",
    [MPI_ERR_FILE] = "MPI_ERR_FILE: invalid file",
    [MPI_ERR_FILE_EXISTS] = "MPI_ERR_FILE_EXISTS: the file exists",
    [MPI_ERR_FILE_IN_USE] = "MPI_ERR_FILE_IN_USE: the file is in use",
    [MPI_ERR_IO] = "MPI_ERR_IO: error of input or output",
    [MPI_ERR_NAME] = "MPI_ERR_NAME: the service has not been published",
    [MPI_ERR_NO_SPACE] = "MPI_ERR_NO_SPACE: no space left",
    [MPI_ERR_NO_SUCH_FILE] = "MPI_ERR_NO_SUCH_FILE: there is no such file",
    [MPI_ERR_NOT_SAME] = "MPI_ERR_NOT_SAME: arguments differ among processes",
    [MPI_ERR_PORT] = "MPI_ERR_PORT: invalid port",
    [MPI_ERR_QUOTA] = "MPI_ERR_QUOTA: the quota is exceeded",
    [MPI_ERR_READ_ONLY] = "MPI_ERR_READ_ONLY: read only",
    [MPI_ERR_SERVICE] = "MPI_ERR_SERVICE: invalid service",
    [MPI_ERR_SPAWN] = "MPI_ERR_SPAWN: processes cannot be started",
    [MPI_ERR_UNSUPPORTED_DATAREP] = "MPI_ERR_UNSUPPORTED_DATAREP: representation of data not supported",
    [MPI_T_ERR_MEMORY] = "MPI_T_ERR_MEMORY: no memory left",
    [MPI_T_ERR_NOT_INITIALIZED] = "MPI_T_ERR_NOT_INITIALIZED: the tools' interface does not run",
    [MPI_T_ERR_CANNOT_INIT] = "MPI_T_ERR_CANNOT_INIT: the tools' interface cannot start",
    [MPI_T_ERR_INVALID_INDEX] = "MPI_T_ERR_INVALID_INDEX: there is no variable with this index",
    [MPI_T_ERR_INVALID_ITEM] = "MPI_T_ERR_INVALID_ITEM: there is no value with this index",
    [MPI_T_ERR_INVALID_HANDLE] = "MPI_T_ERR_INVALID_HANDLE: invalid handle",
    [MPI_T_ERR_OUT_OF_HANDLES] = "MPI_T_ERR_OUT_OF_HANDLES: no handles left",
    [MPI_T_ERR_OUT_OF_SESSIONS] = "MPI_T_ERR_OUT_OF_SESSIONS: no sessions left",
    [MPI_T_ERR_INVALID_SESSION] = "MPI_T_ERR_INVALID_SESSION: invalid session",
    [MPI_T_ERR_CVAR_SET_NOT_NOW] = "MPI_T_ERR_CVAR_SET_NOT_NOW: the variable cannot be set now",
    [MPI_T_ERR_CVAR_SET_NEVER] = "MPI_T_ERR_CVAR_SET_NEVER: the variable cannot be set by a program",
    [MPI_T_ERR_PVAR_NO_STARTSTOP] = "MPI_T_ERR_PVAR_NO_STARTSTOP: the variable cannot be started or stopped",
    [MPI_T_ERR_PVAR_NO_WRITE] = "MPI_T_ERR_PVAR_NO_WRITE: the variable cannot be written or reset",
    [MPI_T_ERR_PVAR_NO_ATOMIC] = "MPI_T_ERR_PVAR_NO_ATOMIC: the variable cannot be read and reset at once",
    [MPI_T_ERR_INVALID_NAME] = "MPI_T_ERR_INVALID_NAME: there is no variable of this name",
    [MPI_T_ERR_INVALID] = "MPI_T_ERR_INVALID: invalid use of the tools' interface",
    [MPI_ERR_LASTCODE] = "MPI_ERR_LASTCODE: the last of the standard's codes",
};

/* ---- those of the program ---- */
struct own_code {
  int error_class;
  char text[MPI_MAX_ERROR_STRING];
};

struct own_codes {
  struct own_code* at; /* the first has the code FIRST_OWN */
  int count;
};

#define FIRST_OWN (MPI_ERR_LASTCODE + 1)

static struct own_codes* own_codes(void) {
  static struct own_codes all;
  return &all;
}

static struct own_code* own_code(int code) { return code < FIRST_OWN ? NULL : &own_codes()->at[code - FIRST_OWN]; }

int mpi_last_error_code(void) { return MPI_ERR_LASTCODE + own_codes()->count; }

const char* mpi_error_name(int code) {
  static char name[48];
  const char* const text = code >= 0 && code <= MPI_ERR_LASTCODE ? texts[code] : NULL;
  if (text)
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
  else
    snprintf(name, sizeof name, "MPI error %d", code);
  const struct own_code* const own = text ? NULL : own_code(code);
  if (own && own->error_class < FIRST_OWN) return mpi_error_name(own->error_class);
  return name;
}

static int check_code(const char* call, int code, const void* place) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, place));
  if (code < 0 || code > mpi_last_error_code())
    return mpi_fail(call, MPI_ERR_ARG, "there is no error %d; codes are 0..%d", code, mpi_last_error_code());
  return MPI_SUCCESS;
}

/* ---- MPI_Add_error_class, MPI_Add_error_code, MPI_Add_error_string ---- */
static int add(const char* call, int* code) {
  MPI_TRY(mpi_check_running(call));
  MPI_TRY(mpi_check_result(call, code));
  struct own_codes* all = own_codes();
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  *code = FIRST_OWN + all->count++;
  *own_code(*code) = (struct own_code){.error_class = *code, .text = ""};
  return MPI_SUCCESS;
}

int mpi_error_code_of(int error_class, const char* text) {
  struct own_codes* all = own_codes();
  for (int i = 0; i < all->count; ++i)
    if (strcmp(all->at[i].text, text) == 0) return FIRST_OWN + i;
  all->at = mpi_larger_memory(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  struct own_code* own = &all->at[all->count];
  own->error_class = error_class;
  snprintf(own->text, sizeof own->text, "%s", text);
  return FIRST_OWN + all->count++;
}

int MPI_Add_error_class(int* error_class) { return add("MPI_Add_error_class", error_class); }

int MPI_Add_error_code(int error_class, int* code) {
  MPI_TRY(check_code("MPI_Add_error_code", error_class, code));
  MPI_TRY(add("MPI_Add_error_code", code));
  own_code(*code)->error_class = error_class;
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int code, const char* text) {
  MPI_TRY(check_code("MPI_Add_error_string", code, text));
  struct own_code* own = own_code(code);
  if (!own)
    return mpi_fail("MPI_Add_error_string", MPI_ERR_ARG,
                    "error %d is of the standard and has its text; make one with MPI_Add_error_code", code);
  snprintf(own->text, sizeof own->text, "%s", text);
  return MPI_SUCCESS;
}

/* ---- MPI_Error_class, MPI_Error_string ---- */
int MPI_Error_class(int code, int* error_class) {
  MPI_TRY(check_code("MPI_Error_class", code, error_class));
  const struct own_code* own = own_code(code);
  *error_class = own ? own->error_class : code;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char* text, int* length) {
  MPI_TRY(check_code("MPI_Error_string", code, text && length ? text : NULL));
  const struct own_code* own = own_code(code);
  strcpy(text, own ? own->text : texts[code]);
  *length = (int)strlen(text);
  return MPI_SUCCESS;
}
