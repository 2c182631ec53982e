/* Fortran's arguments, as C has them (fortran.h). */
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/fortran/fortran.h"

static void* memory(int count, size_t each) {
  void* made = malloc((count > 0 ? (size_t)count : 0) * each + 1);
  if (!made) hal_abort("MPI: no memory for the arguments of a call from Fortran");
  return made;
}

void sanvp_fortran_status_back(MPI_Fint* to, const MPI_Status* from) {
  if (from != MPI_STATUS_IGNORE) MPI_Status_c2f(from, to);
}

MPI_Request* sanvp_fortran_requests(const MPI_Fint* from, int count) {
  MPI_Request* made = memory(count, sizeof *made);
  for (int i = 0; i < count; ++i) made[i] = MPI_Request_f2c(from[i]);
  return made;
}

void sanvp_fortran_requests_back(MPI_Fint* to, int count, const MPI_Request* from) {
  for (int i = 0; i < count; ++i) to[i] = MPI_Request_c2f(from[i]);
}

MPI_Datatype* sanvp_fortran_types(const MPI_Fint* from, int count) {
  MPI_Datatype* made = memory(count, sizeof *made);
  for (int i = 0; i < count; ++i) made[i] = from ? MPI_Type_f2c(from[i]) : MPI_DATATYPE_NULL;
  return made;
}

void sanvp_fortran_types_back(MPI_Fint* to, int count, const MPI_Datatype* from) {
  for (int i = 0; i < count && from[i]; ++i) to[i] = MPI_Type_c2f(from[i]); /* null: behind the last one */
}

MPI_Aint* sanvp_fortran_addresses(const MPI_Fint* from, int count) {
  MPI_Aint* made = memory(count, sizeof *made);
  for (int i = 0; i < count; ++i) made[i] = from[i];
  return made;
}

/* A wrong communicator is the call's to report. */
int sanvp_fortran_peers(MPI_Fint comm) {
  const MPI_Comm of = MPI_Comm_f2c(comm);
  int is_inter = 0, peers = 0;
  if (!of) return 0;
  MPI_Comm_test_inter(of, &is_inter);
  if (is_inter)
    MPI_Comm_remote_size(of, &peers);
  else
    MPI_Comm_size(of, &peers);
  return peers;
}

int sanvp_fortran_neighbors(MPI_Fint comm, int out) {
  const MPI_Comm of = MPI_Comm_f2c(comm);
  int kind = MPI_UNDEFINED, from = 0, to = 0, rank, weighted;
  if (!of) return 0;
  MPI_Topo_test(of, &kind);
  if (kind == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(of, &from, &to, &weighted);
  } else if (kind == MPI_GRAPH) {
    MPI_Comm_rank(of, &rank);
    MPI_Graph_neighbors_count(of, rank, &from);
    to = from;
  } else if (kind == MPI_CART) {
    MPI_Cartdim_get(of, &from);
    from *= 2; /* both directions of each dimension */
    to = from;
  }
  return out ? to : from;
}

void sanvp_fortran_from_one(MPI_Fint* indices, int count) {
  for (int i = 0; i < count; ++i)
    if (indices[i] != MPI_UNDEFINED) ++indices[i];
}

char* sanvp_fortran_text(const char* from, size_t room) {
  while (room > 0 && from[room - 1] == ' ') --room;
  while (room > 0 && *from == ' ') ++from, --room;
  char* made = memory((int)room, 1);
  memcpy(made, from, room);
  made[room] = '\0';
  return made;
}

void sanvp_fortran_text_back(char* to, size_t room, const char* from) {
  const size_t length = strnlen(from, room);
  memcpy(to, from, length);
  memset(to + length, ' ', room - length);
}
