/* Fortran's handles are integers: indices, from 1 on, into a list of all handles that were converted. 0 is the null
 * handle of any kind; each other number belongs to one kind. */
#include <stdlib.h>
#include <string.h>

#include "sw/mpi/internal.h"

enum kind { COMM, GROUP, TYPE, OP, REQUEST, ERRHANDLER, INFO, MESSAGE, FILE_HANDLE };

struct handle {
  enum kind kind;
  void* at;
};

struct handles {
  struct handle* all;
  int count;
};

static struct handles* handles(void) {
  static struct handles list;
  return &list;
}

static MPI_Fint number_of(void* handle, enum kind kind) {
  struct handles* list = handles();
  if (!handle) return 0;
  for (int i = 0; i < list->count; ++i)
    if (list->all[i].at == handle && list->all[i].kind == kind) return i + 1;
  list->all = mpi_larger_memory(list->all, ((size_t)list->count + 1) * sizeof *list->all);
  list->all[list->count] = (struct handle){kind, handle};
  return ++list->count;
}

/* Null where no handle of the kind has the number: the called function reports it. */
static void* handle_of(MPI_Fint number, enum kind kind) {
  const struct handles* list = handles();
  if (number < 1 || number > list->count || list->all[number - 1].kind != kind) return NULL;
  return list->all[number - 1].at;
}

MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return number_of(comm, COMM); }
MPI_Comm MPI_Comm_f2c(MPI_Fint number) { return handle_of(number, COMM); }

MPI_Fint MPI_Group_c2f(MPI_Group group) { return number_of(group, GROUP); }
MPI_Group MPI_Group_f2c(MPI_Fint number) { return handle_of(number, GROUP); }

MPI_Fint MPI_Type_c2f(MPI_Datatype type) { return number_of(type, TYPE); }
MPI_Datatype MPI_Type_f2c(MPI_Fint number) { return handle_of(number, TYPE); }

MPI_Fint MPI_Op_c2f(MPI_Op op) { return number_of(op, OP); }
MPI_Op MPI_Op_f2c(MPI_Fint number) { return handle_of(number, OP); }

MPI_Fint MPI_Request_c2f(MPI_Request request) { return number_of(request, REQUEST); }
MPI_Request MPI_Request_f2c(MPI_Fint number) { return handle_of(number, REQUEST); }

MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handler) { return number_of(handler, ERRHANDLER); }
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint number) { return handle_of(number, ERRHANDLER); }

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

MPI_Fint MPI_Message_c2f(MPI_Message message) { return number_of(message, MESSAGE); }
MPI_Message MPI_Message_f2c(MPI_Fint number) { return handle_of(number, MESSAGE); }

MPI_Fint MPI_Info_c2f(MPI_Info info) { return number_of(info, INFO); }
MPI_Info MPI_Info_f2c(MPI_Fint number) { return handle_of(number, INFO); }

MPI_Fint MPI_File_c2f(MPI_File file) { return number_of(file, FILE_HANDLE); }
MPI_File MPI_File_f2c(MPI_Fint number) { return handle_of(number, FILE_HANDLE); }
