/* The calls for attributes: MPI-1's names and MPI-2's. */
#include <string.h>

#include "sw/mpi/base/attribute.h"
#include "sw/mpi/base/checks.h"

/* ---- copying a value as it is ---- */
static int duplicate(void* value, void* copied, int* flag) {
  memcpy(copied, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_dup_value_(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)comm;
  (void)keyval;
  (void)extra;
  return duplicate(value, copied, flag);
}

int MPI_type_dup_value_(MPI_Datatype type, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)type;
  (void)keyval;
  (void)extra;
  return duplicate(value, copied, flag);
}

int MPI_win_dup_value_(MPI_Win window, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)window;
  (void)keyval;
  (void)extra;
  return duplicate(value, copied, flag);
}

/* ---- communicators ---- */
static int create_of_comm(const char* call, MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval,
                          void* extra) {
  const struct mpi_key_functions functions = {.copy_comm = copy, .delete_comm = release};
  return mpi_key_create(call, MPI_KEY_COMM, functions, keyval, extra);
}

int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval, void* extra) {
  return create_of_comm("MPI_Keyval_create", copy, release, keyval, extra);
}

int MPI_Comm_create_keyval(MPI_Copy_function* copy, MPI_Delete_function* release, int* keyval, void* extra) {
  return create_of_comm("MPI_Comm_create_keyval", copy, release, keyval, extra);
}

int MPI_Keyval_free(int* keyval) { return mpi_key_free("MPI_Keyval_free", MPI_KEY_COMM, keyval); }

int MPI_Comm_free_keyval(int* keyval) { return mpi_key_free("MPI_Comm_free_keyval", MPI_KEY_COMM, keyval); }

int MPI_Attr_put(MPI_Comm comm, int keyval, void* value) {
  MPI_TRY(mpi_check_comm("MPI_Attr_put", comm));
  return mpi_attribute_set("MPI_Attr_put", mpi_owner_comm(comm), keyval, value);
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  MPI_TRY(mpi_check_comm("MPI_Comm_set_attr", comm));
  return mpi_attribute_set("MPI_Comm_set_attr", mpi_owner_comm(comm), keyval, value);
}

int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_comm("MPI_Attr_get", comm));
  return mpi_attribute_get("MPI_Attr_get", mpi_owner_comm(comm), keyval, value, flag);
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_comm("MPI_Comm_get_attr", comm));
  return mpi_attribute_get("MPI_Comm_get_attr", mpi_owner_comm(comm), keyval, value, flag);
}

int MPI_Attr_delete(MPI_Comm comm, int keyval) {
  MPI_TRY(mpi_check_comm("MPI_Attr_delete", comm));
  return mpi_attribute_delete("MPI_Attr_delete", mpi_owner_comm(comm), keyval);
}

int MPI_Comm_delete_attr(MPI_Comm comm, int keyval) {
  MPI_TRY(mpi_check_comm("MPI_Comm_delete_attr", comm));
  return mpi_attribute_delete("MPI_Comm_delete_attr", mpi_owner_comm(comm), keyval);
}

/* ---- datatypes ---- */
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* release, int* keyval,
                           void* extra) {
  const struct mpi_key_functions functions = {.copy_type = copy, .delete_type = release};
  return mpi_key_create("MPI_Type_create_keyval", MPI_KEY_TYPE, functions, keyval, extra);
}

int MPI_Type_free_keyval(int* keyval) { return mpi_key_free("MPI_Type_free_keyval", MPI_KEY_TYPE, keyval); }

int MPI_Type_set_attr(MPI_Datatype type, int keyval, void* value) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_set_attr", type));
  return mpi_attribute_set("MPI_Type_set_attr", mpi_owner_type(type), keyval, value);
}

int MPI_Type_get_attr(MPI_Datatype type, int keyval, void* value, int* flag) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_get_attr", type));
  return mpi_attribute_get("MPI_Type_get_attr", mpi_owner_type(type), keyval, value, flag);
}

int MPI_Type_delete_attr(MPI_Datatype type, int keyval) {
  MPI_TRY(mpi_check_lone_type("MPI_Type_delete_attr", type));
  return mpi_attribute_delete("MPI_Type_delete_attr", mpi_owner_type(type), keyval);
}
