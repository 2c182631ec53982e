/* Operations of accumulations, by numbers that ranks send to each other. */
#include <string.h>

#include "sw/mpi/windows/windows.h"

static const MPI_Op ops[] = {MPI_SUM,  MPI_PROD, MPI_MAX,  MPI_MIN,    MPI_LAND,   MPI_LOR,     MPI_LXOR,
                             MPI_BAND, MPI_BOR,  MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

int window_op_number(MPI_Op op) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (ops[i] == op) return (int)i;
  return -1;
}

void window_apply(int op, const void* in, void* inout, size_t count, int kind, size_t extent, size_t size) {
  if (count == 0 || ops[op] == MPI_NO_OP) return;
  if (ops[op] == MPI_REPLACE)
    memcpy(inout, in, (count - 1) * extent + size);
  else
    ops[op]->apply(in, inout, count, (enum mpi_kind)kind);
}
