/* Shared by grids and graphs. */
#ifndef SANVP_MPI_TOPOLOGY_H
#define SANVP_MPI_TOPOLOGY_H

#include "sw/mpi/mpi.h"

int mpi_check_topology(const char* call, MPI_Comm comm, int kind);
/* Collective: the first `size` ranks. MPI_COMM_NULL for the others. */
int mpi_comm_first(const char* call, MPI_Comm comm, int size, MPI_Comm* made);

#endif
