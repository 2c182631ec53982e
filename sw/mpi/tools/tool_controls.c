/* MPI_T: start and end; the algorithms of collective operations as control variables, with their names as values. */
#include <stdio.h>
#include <string.h>

#include "sw/mpi/base/errors.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/tools/tools.h"

/* An enumeration is a choice, and a handle as well: a variable belongs to no object. */
static const struct mpi_choice* choice_of(MPI_T_enum values) { return (const struct mpi_choice*)values; }

static struct mpi_choice* control(int index) {
  size_t count = 0;
  struct mpi_choice* const* all = mpi_choices(&count);
  return index < 0 || (size_t)index >= count ? NULL : all[index];
}

int mpi_tools_controls(void) {
  size_t count = 0;
  mpi_choices(&count);
  return (int)count;
}

void mpi_tools_text(const char* text, char* to, int* length) {
  if (to && length && *length > 0) snprintf(to, (size_t)*length, "%s", text);
  if (length) *length = (int)strlen(text) + 1;
}

/* ---- start and end: counted ---- */
static int* uses(void) {
  static int count;
  return &count;
}

int mpi_tools_check(void) { return *uses() > 0 ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED; }

int MPI_T_init_thread(int required, int* provided) {
  if (!provided) return MPI_T_ERR_INVALID;
  *provided = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
  ++*uses();
  return MPI_SUCCESS;
}

int MPI_T_finalize(void) {
  MPI_TRY(mpi_tools_check());
  --*uses();
  return MPI_SUCCESS;
}

/* ---- values ---- */
static int names_of(const struct mpi_choice* choice) {
  int count = 0;
  while (choice->names[count]) ++count;
  return count;
}

int MPI_T_enum_get_info(MPI_T_enum values, int* count, char* name, int* name_length) {
  MPI_TRY(mpi_tools_check());
  if (!values) return MPI_T_ERR_INVALID_HANDLE;
  if (count) *count = names_of(choice_of(values));
  mpi_tools_text(choice_of(values)->key, name, name_length);
  return MPI_SUCCESS;
}

int MPI_T_enum_get_item(MPI_T_enum values, int index, int* value, char* name, int* name_length) {
  MPI_TRY(mpi_tools_check());
  if (!values) return MPI_T_ERR_INVALID_HANDLE;
  if (index < 0 || index >= names_of(choice_of(values))) return MPI_T_ERR_INVALID_ITEM;
  if (value) *value = index;
  mpi_tools_text(choice_of(values)->names[index], name, name_length);
  return MPI_SUCCESS;
}

/* ---- variables ---- */
int MPI_T_cvar_get_num(int* count) {
  MPI_TRY(mpi_tools_check());
  if (!count) return MPI_T_ERR_INVALID;
  *count = mpi_tools_controls();
  return MPI_SUCCESS;
}

int MPI_T_cvar_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* type, MPI_T_enum* values,
                        char* text, int* text_length, int* bind, int* scope) {
  MPI_TRY(mpi_tools_check());
  const struct mpi_choice* choice = control(index);
  if (!choice) return MPI_T_ERR_INVALID_INDEX;
  mpi_tools_text(choice->key, name, name_length);
  mpi_tools_text("the algorithm of the operation, as -s names it", text, text_length);
  if (verbosity) *verbosity = MPI_T_VERBOSITY_TUNER_BASIC;
  if (type) *type = MPI_INT;
  if (values) *values = (MPI_T_enum)choice;
  if (bind) *bind = MPI_T_BIND_NO_OBJECT;
  if (scope) *scope = MPI_T_SCOPE_ALL_EQ;
  return MPI_SUCCESS;
}

int MPI_T_cvar_get_index(const char* name, int* index) {
  MPI_TRY(mpi_tools_check());
  if (!name || !index) return MPI_T_ERR_INVALID;
  for (int i = 0; i < mpi_tools_controls(); ++i)
    if (strcmp(control(i)->key, name) == 0) {
      *index = i;
      return MPI_SUCCESS;
    }
  return MPI_T_ERR_INVALID_NAME;
}

int MPI_T_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle, int* count) {
  (void)object;
  MPI_TRY(mpi_tools_check());
  if (!control(index)) return MPI_T_ERR_INVALID_INDEX;
  if (!handle || !count) return MPI_T_ERR_INVALID;
  *handle = (MPI_T_cvar_handle)control(index);
  *count = 1;
  return MPI_SUCCESS;
}

int MPI_T_cvar_handle_free(MPI_T_cvar_handle* handle) {
  MPI_TRY(mpi_tools_check());
  if (!handle || !*handle) return MPI_T_ERR_INVALID_HANDLE;
  *handle = MPI_T_CVAR_HANDLE_NULL;
  return MPI_SUCCESS;
}

int MPI_T_cvar_read(MPI_T_cvar_handle handle, void* value) {
  MPI_TRY(mpi_tools_check());
  if (!handle) return MPI_T_ERR_INVALID_HANDLE;
  if (!value) return MPI_T_ERR_INVALID;
  memcpy(value, &((const struct mpi_choice*)handle)->chosen, sizeof(int));
  return MPI_SUCCESS;
}

/* MPI_Init reads the settings: before, there is nothing to replace. */
int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void* value) {
  struct mpi_choice* choice = (struct mpi_choice*)handle;
  int wanted = -1;
  MPI_TRY(mpi_tools_check());
  if (!choice) return MPI_T_ERR_INVALID_HANDLE;
  if (value) memcpy(&wanted, value, sizeof wanted);
  if (wanted < 0 || wanted >= names_of(choice)) return MPI_T_ERR_INVALID;
  if (MPI_comm_world_.size == 0) return MPI_T_ERR_CVAR_SET_NOT_NOW;
  choice->chosen = wanted;
  choice->by_size.count = 0;
  return MPI_SUCCESS;
}
