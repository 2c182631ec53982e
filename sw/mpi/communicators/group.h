/* Groups of processes. */
#ifndef SANVP_MPI_GROUP_H
#define SANVP_MPI_GROUP_H

#include "sw/mpi/base/communicator.h"

MPI_Group mpi_group_new(int size); /* the caller fills in the processes, then calls mpi_group_find_self */
void mpi_group_find_self(MPI_Group group);
int mpi_group_index(MPI_Group group, unsigned process); /* MPI_UNDEFINED: it is no member */

#endif
