/* Nodes that have died: 1 + the node, 0: none. */
#ifndef SANVP_MPI_DEATHS_H
#define SANVP_MPI_DEATHS_H

#include "sw/mpi/mpi.h"

void mpi_deaths_start(void);
void mpi_deaths_serve_threads(void);
int mpi_death_among(MPI_Comm comm); /* of its members */
int mpi_death_of(unsigned process); /* because of which it cannot be reached */
/* From now on a collective operation of this communicator waits; null: none does. Returns the previous one. */
MPI_Comm mpi_waits_among(MPI_Comm comm);
/* From now on MPI_ANY_SOURCE means a member of this communicator; null: any process. */
void mpi_any_source_is_of(MPI_Comm comm);
int mpi_fail_dead(MPI_Comm comm, const char* call, int dead); /* as mpi_fail_on */

#endif
