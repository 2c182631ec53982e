/* How datatypes are made from others. */
#ifndef SANVP_MPI_DATATYPE_H
#define SANVP_MPI_DATATYPE_H

#include "sw/mpi/mpi.h"

/* `times` blocks, `apart` bytes from one to the next, of `count` elements of a type, each one extent after the last. */
struct mpi_piece {
  ptrdiff_t offset;
  size_t times;
  ptrdiff_t apart;
  size_t count;
  MPI_Datatype type;
};
static inline struct mpi_piece mpi_whole(MPI_Datatype type) {
  return (struct mpi_piece){.times = 1, .count = 1, .type = type};
}

/* A type of these pieces, in this order; its bounds are MPI-1's (3.12.3). Freed with its last reference. */
int mpi_type_new(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made);
/* Once more, as its bounds have been changed: whether its elements follow each other without gaps. */
void mpi_type_find_dense(struct MPI_datatype_* type);
void mpi_type_hold(MPI_Datatype type);
void mpi_type_release(MPI_Datatype type);

#endif
