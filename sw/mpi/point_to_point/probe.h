/* Probes. */
#ifndef SANVP_MPI_PROBE_H
#define SANVP_MPI_PROBE_H

#include "sw/mpi/mpi.h"
#include "sw/transport/transport.h"

/* MPI_Probe, or, with a flag, MPI_Iprobe. */
int mpi_probe(const char* call, int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status,
              struct transport_status* got);

#endif
