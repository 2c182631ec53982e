/* Attributes of any object: values under the program's own keys. */
#ifndef SANVP_MPI_ATTRIBUTE_H
#define SANVP_MPI_ATTRIBUTE_H

#include "sw/mpi/mpi.h"

struct mpi_attribute {
  struct mpi_attribute* next;
  int keyval;
  void* value;
};

/* Which objects a key is for. */
enum mpi_key_kind { MPI_KEY_COMM, MPI_KEY_TYPE };

/* Whose attributes: one of the handles is set. */
struct mpi_owner {
  enum mpi_key_kind kind;
  MPI_Comm comm;
  MPI_Datatype type;
};

/* The program's functions for a key, of its kind; null: nothing is to be done. */
struct mpi_key_functions {
  MPI_Copy_function* copy_comm;
  MPI_Delete_function* delete_comm;
  MPI_Type_copy_attr_function* copy_type;
  MPI_Type_delete_attr_function* delete_type;
};

/* The calls, after all arguments but the key are checked. They return MPI_SUCCESS or an error. */
int mpi_key_create(const char* call, enum mpi_key_kind kind, struct mpi_key_functions functions, int* keyval,
                   void* extra);
int mpi_key_free(const char* call, enum mpi_key_kind kind, int* keyval);
int mpi_attribute_set(const char* call, struct mpi_owner owner, int keyval, void* value);
int mpi_attribute_get(const char* call, struct mpi_owner owner, int keyval, void* value, int* flag);
int mpi_attribute_delete(const char* call, struct mpi_owner owner, int keyval);
/* All attributes of an object: when it is copied, and when it is freed. */
int mpi_attributes_copy(const char* call, struct mpi_owner from, struct mpi_owner to);
int mpi_attributes_delete(const char* call, struct mpi_owner owner);

static inline struct mpi_owner mpi_owner_comm(MPI_Comm comm) {
  return (struct mpi_owner){.kind = MPI_KEY_COMM, .comm = comm};
}
static inline struct mpi_owner mpi_owner_type(MPI_Datatype type) {
  return (struct mpi_owner){.kind = MPI_KEY_TYPE, .type = type};
}

#endif
