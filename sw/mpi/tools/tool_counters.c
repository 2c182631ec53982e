/* MPI_T: performance variables. They count from MPI_Init, and cannot be stopped or set; a session is there to separate
 * tools. What they show is there anyway: counting for them would cost instructions in every call. (For more, take the
 * profiling interface, or --profile.) */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/tools/tools.h"

struct MPI_tool_session_ {
  int handles; /* allocated and not freed */
};

struct MPI_tool_counter_ {
  MPI_T_pvar_session session;
  int index;
};

struct MPI_tool_counter_ MPI_T_all_handles_;

static uint64_t collectives(void) { return MPI_comm_world_.collectives; }

static const struct {
  const char *name, *text;
  uint64_t (*read)(void);
} counters[] = {
    {"mpi.world_collectives", "collective operations of MPI_COMM_WORLD that messages did, not the network by itself",
     collectives},
};

int mpi_tools_counters(void) { return (int)(sizeof counters / sizeof *counters); }

static int check(int index) {
  MPI_TRY(mpi_tools_check());
  return index < 0 || index >= mpi_tools_counters() ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

/* ---- variables ---- */
int MPI_T_pvar_get_num(int* count) {
  MPI_TRY(mpi_tools_check());
  if (!count) return MPI_T_ERR_INVALID;
  *count = mpi_tools_counters();
  return MPI_SUCCESS;
}

int MPI_T_pvar_get_info(int index, char* name, int* name_length, int* verbosity, int* variable_class,
                        MPI_Datatype* type, MPI_T_enum* values, char* text, int* text_length, int* bind, int* readonly,
                        int* continuous, int* atomic) {
  MPI_TRY(check(index));
  mpi_tools_text(counters[index].name, name, name_length);
  mpi_tools_text(counters[index].text, text, text_length);
  if (verbosity) *verbosity = MPI_T_VERBOSITY_USER_BASIC;
  if (variable_class) *variable_class = MPI_T_PVAR_CLASS_COUNTER;
  if (type) *type = MPI_UNSIGNED_LONG_LONG;
  if (values) *values = MPI_T_ENUM_NULL;
  if (bind) *bind = MPI_T_BIND_NO_OBJECT;
  if (readonly) *readonly = 1;
  if (continuous) *continuous = 1;
  if (atomic) *atomic = 0;
  return MPI_SUCCESS;
}

int MPI_T_pvar_get_index(const char* name, int variable_class, int* index) {
  MPI_TRY(mpi_tools_check());
  if (!name || !index) return MPI_T_ERR_INVALID;
  for (int i = 0; i < mpi_tools_counters(); ++i)
    if (strcmp(counters[i].name, name) == 0 && variable_class == MPI_T_PVAR_CLASS_COUNTER) {
      *index = i;
      return MPI_SUCCESS;
    }
  return MPI_T_ERR_INVALID_NAME;
}

/* ---- sessions and handles ---- */
int MPI_T_pvar_session_create(MPI_T_pvar_session* session) {
  MPI_TRY(mpi_tools_check());
  if (!session) return MPI_T_ERR_INVALID;
  *session = calloc(1, sizeof **session);
  return *session ? MPI_SUCCESS : MPI_T_ERR_OUT_OF_SESSIONS;
}

int MPI_T_pvar_session_free(MPI_T_pvar_session* session) {
  MPI_TRY(mpi_tools_check());
  if (!session || !*session) return MPI_T_ERR_INVALID_SESSION;
  free(*session);
  *session = MPI_T_PVAR_SESSION_NULL;
  return MPI_SUCCESS;
}

int MPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int index, void* object, MPI_T_pvar_handle* handle,
                            int* count) {
  (void)object;
  MPI_TRY(check(index));
  if (!session) return MPI_T_ERR_INVALID_SESSION;
  if (!handle || !count) return MPI_T_ERR_INVALID;
  *handle = malloc(sizeof **handle);
  if (!*handle) return MPI_T_ERR_OUT_OF_HANDLES;
  **handle = (struct MPI_tool_counter_){session, index};
  *count = 1;
  return MPI_SUCCESS;
}

static int check_handle(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  MPI_TRY(mpi_tools_check());
  if (!session) return MPI_T_ERR_INVALID_SESSION;
  if (!handle || (handle != MPI_T_PVAR_ALL_HANDLES && handle->session != session)) return MPI_T_ERR_INVALID_HANDLE;
  return MPI_SUCCESS;
}

int MPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  MPI_TRY(check_handle(session, handle ? *handle : NULL));
  if (*handle == MPI_T_PVAR_ALL_HANDLES) return MPI_T_ERR_INVALID_HANDLE;
  free(*handle);
  *handle = MPI_T_PVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

/* All handles: those that cannot be started or set are left out. */
static int refuse(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int code) {
  MPI_TRY(check_handle(session, handle));
  return handle == MPI_T_PVAR_ALL_HANDLES ? MPI_SUCCESS : code;
}

int MPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

int MPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP);
}

int MPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return refuse(session, handle, MPI_T_ERR_PVAR_NO_WRITE);
}

int MPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* value) {
  (void)value;
  MPI_TRY(check_handle(session, handle));
  return handle == MPI_T_PVAR_ALL_HANDLES ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_PVAR_NO_WRITE;
}

int MPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
  (void)value;
  MPI_TRY(check_handle(session, handle));
  return handle == MPI_T_PVAR_ALL_HANDLES ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_PVAR_NO_ATOMIC;
}

int MPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
  MPI_TRY(check_handle(session, handle));
  if (handle == MPI_T_PVAR_ALL_HANDLES) return MPI_T_ERR_INVALID_HANDLE;
  if (!value) return MPI_T_ERR_INVALID;
  const uint64_t count = counters[handle->index].read();
  memcpy(value, &count, sizeof count);
  return MPI_SUCCESS;
}
