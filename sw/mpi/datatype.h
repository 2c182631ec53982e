/* How datatypes are made from others. */
#ifndef SANVP_MPI_DATATYPE_H
#define SANVP_MPI_DATATYPE_H

#include "sw/mpi/internal.h"

/* `count` elements of a type, from a byte on, each one extent after the last. */
struct mpi_piece {
  ptrdiff_t offset;
  size_t count;
  MPI_Datatype type;
};

/* A type of these pieces, in this order; its bounds are MPI-1's (3.12.3). Freed with its last reference. */
int mpi_type_new(const char* call, size_t count, const struct mpi_piece* pieces, MPI_Datatype* made);
/* The same of `times` copies of a piece, `apart` bytes from one to the next, of which one is stored. */
int mpi_type_copies(const char* call, size_t times, ptrdiff_t apart, struct mpi_piece piece, MPI_Datatype* made);
void mpi_type_hold(MPI_Datatype type);
void mpi_type_release(MPI_Datatype type);

#endif
