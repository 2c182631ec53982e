/* What a program made a datatype of: MPI_Type_get_contents tells it. */
#ifndef SANVP_MPI_RECIPE_H
#define SANVP_MPI_RECIPE_H

#include "sw/mpi/datatype.h"

/* A new type's call, MPI_COMBINER_..., then its arguments as in the standard's table of MPI_Type_get_contents: each
 * call adds `count` of a kind. Types are held. */
void mpi_recipe_begin(MPI_Datatype made, int combiner);
void mpi_recipe_integers(MPI_Datatype made, int count, const int* integers);
void mpi_recipe_addresses(MPI_Datatype made, int count, const MPI_Aint* addresses);
void mpi_recipe_types(MPI_Datatype made, int count, const MPI_Datatype* types);
/* Null has none. */
void mpi_recipe_free(struct mpi_recipe* recipe);

#endif
