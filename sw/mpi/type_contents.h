/* How a program made a datatype: what MPI_Type_get_contents returns. */
#ifndef SANVP_MPI_TYPE_CONTENTS_H
#define SANVP_MPI_TYPE_CONTENTS_H

#include "sw/mpi/datatype.h"

struct mpi_type_contents {
  int combiner;
  int incomplete; /* no memory for some of them */
  int integers_count, addresses_count, types_count;
  int* integers;
  MPI_Aint* addresses;
  MPI_Datatype* types;
};

/* A new type's call, MPI_COMBINER_..., then its arguments as in the standard's table of MPI_Type_get_contents: each
 * call adds `count` of a kind. Types are held. */
void mpi_contents_begin(MPI_Datatype made, int combiner);
void mpi_contents_integers(MPI_Datatype made, int count, const int* integers);
void mpi_contents_addresses(MPI_Datatype made, int count, const MPI_Aint* addresses);
void mpi_contents_types(MPI_Datatype made, int count, const MPI_Datatype* types);
/* The last of these calls: MPI_ERR_NO_MEM, and no type, if memory did not suffice for one of them. */
int mpi_contents_end(const char* call, MPI_Datatype* made);
/* `contents` may be null. */
void mpi_contents_free(struct mpi_type_contents* contents);

#endif
