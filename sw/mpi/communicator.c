/* Communicators: a set of processes, and contexts that keep its messages apart. */
#include "sw/mpi/internal.h"

struct mpi_communicator mpi_comm_world_;

/* ---- MPI_Comm_rank ---- */
int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  mpi_check_comm("MPI_Comm_rank", comm);
  *rank = comm->rank;
  return MPI_SUCCESS;
}

/* ---- MPI_Comm_size ---- */
int MPI_Comm_size(MPI_Comm comm, int* size) {
  mpi_check_comm("MPI_Comm_size", comm);
  *size = comm->size;
  return MPI_SUCCESS;
}

/* ---- what other files ask ---- */
uint64_t mpi_tag(MPI_Comm comm, int tag) { return (uint64_t)comm->context << 32 | (uint32_t)tag; }

uint64_t mpi_collective_tag(MPI_Comm comm, int tag) { return (uint64_t)(comm->context + 1) << 32 | (uint32_t)tag; }

unsigned mpi_process(MPI_Comm comm, int rank) { return comm->processes ? comm->processes[rank] : (unsigned)rank; }

int mpi_rank_of(MPI_Comm comm, unsigned process) {
  if (!comm->processes) return (int)process;
  for (int rank = 0; rank < comm->size; ++rank)
    if (comm->processes[rank] == process) return rank;
  return MPI_UNDEFINED;
}
