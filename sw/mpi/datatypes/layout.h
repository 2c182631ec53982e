/* The layout of a type's data in memory. */
#ifndef SANVP_MPI_LAYOUT_H
#define SANVP_MPI_LAYOUT_H

#include "sw/mpi/base/type.h"

/* `count` elements to and from bytes without gaps. */
void mpi_pack(const void* from, size_t count, MPI_Datatype type, void* to);
void mpi_unpack(const void* from, void* to, size_t count, MPI_Datatype type);
/* The first `bytes` bytes: perhaps fewer elements than `count`, and the last one perhaps incomplete. */
void mpi_unpack_bytes(const void* from, size_t bytes, void* to, MPI_Datatype type);
/* Basic elements in the first `bytes` bytes of data; SIZE_MAX: the last of them is incomplete. And the inverse. */
size_t mpi_elements_in(MPI_Datatype type, size_t bytes);
size_t mpi_bytes_of(MPI_Datatype type, size_t elements);

#endif
