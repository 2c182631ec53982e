/* Handles as Fortran has them, integers, for programs that keep them as such: places in a list of all handles that were
 * asked for, from 1 on. 0 is a null handle of any kind. */
#include <stdlib.h>

#include "sw/mpi/internal.h"

struct handles {
  void** at;
  int count;
};

static struct handles* handles(void) {
  static struct handles all;
  return &all;
}

static MPI_Fint number_of(void* handle) {
  struct handles* all = handles();
  if (!handle) return 0;
  for (int i = 0; i < all->count; ++i)
    if (all->at[i] == handle) return i + 1;
  all->at = realloc(all->at, ((size_t)all->count + 1) * sizeof *all->at);
  all->at[all->count] = handle;
  return ++all->count;
}

/* Null where no handle has the number: whoever is given it says so. */
static void* handle_of(MPI_Fint number) {
  const struct handles* all = handles();
  return number >= 1 && number <= all->count ? all->at[number - 1] : NULL;
}

MPI_Fint MPI_Comm_c2f(MPI_Comm comm) { return number_of(comm); }
MPI_Comm MPI_Comm_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Group_c2f(MPI_Group group) { return number_of(group); }
MPI_Group MPI_Group_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Type_c2f(MPI_Datatype type) { return number_of(type); }
MPI_Datatype MPI_Type_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Op_c2f(MPI_Op op) { return number_of(op); }
MPI_Op MPI_Op_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Request_c2f(MPI_Request request) { return number_of(request); }
MPI_Request MPI_Request_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handler) { return number_of(handler); }
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint number) { return handle_of(number); }

MPI_Fint MPI_Info_c2f(MPI_Info info) { return number_of(info); }
MPI_Info MPI_Info_f2c(MPI_Fint number) { return handle_of(number); }
