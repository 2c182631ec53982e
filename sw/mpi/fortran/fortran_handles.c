/* Fortran's handles are integers: indices, from 1 on, into a list of all handles that were converted. 0 is the null
 * handle of any kind; each other number belongs to one kind. The predefined handles come first, in a fixed order, so
 * that their numbers are constants of Fortran (scripts/fortran). */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/fortran/fortran_handles.h"

#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/memory.h"

struct handles {
  struct mpi_fortran_handle* all;
  uint32_t count, most;
  uint32_t* slots; /* a hash table: numbers, 0: free */
  uint32_t slots_count;
};

#define LEAST_ROOM 256u /* a power of two, more than there are predefined handles */

/* The slot that holds this handle, or the free one for it. */
static uint32_t* slot_of(const struct handles* list, const void* handle, enum mpi_fortran_kind kind) {
  const uint64_t golden = 0x9e3779b97f4a7c15; /* multiplicative hashing: 2^64 by the golden ratio */
  uint32_t place = (uint32_t)(((uintptr_t)handle * golden) >> 32) & (list->slots_count - 1);
  for (;; place = (place + 1) & (list->slots_count - 1)) {
    const uint32_t number = list->slots[place];
    if (number == 0) return &list->slots[place];
    const struct mpi_fortran_handle* there = &list->all[number - 1];
    if (there->at == handle && there->kind == kind) return &list->slots[place];
  }
}

/* At most half of the slots are used. */
static void enlarge(struct handles* list) {
  list->most = list->most ? 2 * list->most : LEAST_ROOM;
  list->all = mpi_larger_memory(list->all, list->most * sizeof *list->all);
  free(list->slots);
  list->slots_count = 2 * list->most;
  list->slots = mpi_zeroed_memory(list->slots_count * sizeof *list->slots);
  for (uint32_t i = 0; i < list->count; ++i) *slot_of(list, list->all[i].at, list->all[i].kind) = i + 1;
}

static MPI_Fint add(struct handles* list, struct mpi_fortran_handle handle) {
  if (list->count == list->most) enlarge(list);
  list->all[list->count++] = handle;
  *slot_of(list, handle.at, handle.kind) = list->count;
  return (MPI_Fint)list->count;
}

static struct handles* handles(void) {
  static struct handles list;
  if (list.count == 0)
    for (const struct mpi_fortran_handle* each = mpi_fortran_predefined; each->at; ++each) add(&list, *each);
  return &list;
}

static MPI_Fint number_of(void* handle, enum mpi_fortran_kind kind) {
  struct handles* list = handles();
  if (!handle) return 0;
  const uint32_t known = *slot_of(list, handle, kind);
  return known ? (MPI_Fint)known : add(list, (struct mpi_fortran_handle){kind, handle});
}

/* Null where no handle of the kind has the number: the called function reports it. */
static void* handle_of(MPI_Fint number, enum mpi_fortran_kind kind) {
  const struct handles* list = handles();
  if (number < 1 || (uint32_t)number > list->count || list->all[number - 1].kind != kind) return NULL;
  return list->all[number - 1].at;
}

MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return number_of(comm, MPI_FORTRAN_COMM); }
MPI_Comm MPI_Comm_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_COMM); }

MPI_Fint MPI_Group_c2f(MPI_Group group) { return number_of(group, MPI_FORTRAN_GROUP); }
MPI_Group MPI_Group_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_GROUP); }

MPI_Fint MPI_Type_c2f(MPI_Datatype type) { return number_of(type, MPI_FORTRAN_TYPE); }
MPI_Datatype MPI_Type_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_TYPE); }

MPI_Fint MPI_Op_c2f(MPI_Op op) { return number_of(op, MPI_FORTRAN_OP); }
MPI_Op MPI_Op_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_OP); }

MPI_Fint MPI_Request_c2f(MPI_Request request) { return number_of(request, MPI_FORTRAN_REQUEST); }
MPI_Request MPI_Request_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_REQUEST); }

MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handler) { return number_of(handler, MPI_FORTRAN_ERRHANDLER); }
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_ERRHANDLER); }

/* A status: its bytes. */
int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* number) {
  MPI_TRY(mpi_check_result("MPI_Status_c2f", status && number ? number : NULL));
  memcpy(number, status, sizeof *status);
  return MPI_SUCCESS;
}

int MPI_Status_f2c(const MPI_Fint* number, MPI_Status* status) {
  MPI_TRY(mpi_check_result("MPI_Status_f2c", status && number ? status : NULL));
  memcpy(status, number, sizeof *status);
  return MPI_SUCCESS;
}

/* All three kinds of status have the same bytes. */
_Static_assert(sizeof(MPI_F08_status) == sizeof(MPI_Status), "they are copied");

int MPI_Status_c2f08(const MPI_Status* status, MPI_F08_status* made) {
  MPI_TRY(mpi_check_result("MPI_Status_c2f08", status ? made : NULL));
  memcpy(made, status, sizeof *made);
  return MPI_SUCCESS;
}

int MPI_Status_f082c(const MPI_F08_status* status, MPI_Status* made) {
  MPI_TRY(mpi_check_result("MPI_Status_f082c", status ? made : NULL));
  memcpy(made, status, sizeof *made);
  return MPI_SUCCESS;
}

int MPI_Status_f2f08(const MPI_Fint* number, MPI_F08_status* made) {
  MPI_TRY(mpi_check_result("MPI_Status_f2f08", number ? made : NULL));
  memcpy(made, number, sizeof *made);
  return MPI_SUCCESS;
}

int MPI_Status_f082f(const MPI_F08_status* status, MPI_Fint* number) {
  MPI_TRY(mpi_check_result("MPI_Status_f082f", status ? number : NULL));
  memcpy(number, status, sizeof *status);
  return MPI_SUCCESS;
}

MPI_Fint MPI_Message_c2f(MPI_Message message) { return number_of(message, MPI_FORTRAN_MESSAGE); }
MPI_Message MPI_Message_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_MESSAGE); }

MPI_Fint MPI_Info_c2f(MPI_Info info) { return number_of(info, MPI_FORTRAN_INFO); }
MPI_Info MPI_Info_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_INFO); }

MPI_Fint MPI_File_c2f(MPI_File file) { return number_of(file, MPI_FORTRAN_FILE); }
MPI_File MPI_File_f2c(MPI_Fint number) { return handle_of(number, MPI_FORTRAN_FILE); }
