#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* ---- MPI_Barrier ---- */
int MPI_Barrier(MPI_Comm comm) {
  mpi_check_comm("MPI_Barrier", comm);
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  if (comm == MPI_COMM_WORLD) {
    transport_barrier();
    return MPI_SUCCESS;
  }
  /* Dissemination: after round r everybody knows of 2^(r+1) ranks. */
  for (int distance = 1; distance < comm->size; distance *= 2) {
    const int to = (comm->rank + distance) % comm->size, from = (comm->rank - distance + comm->size) % comm->size;
    struct transport_request* receive =
        transport_receive(mpi_process(comm, from), mpi_collective_tag(comm, MPI_TAG_BARRIER), UINT64_MAX, NULL, 0);
    mpi_collective_send(comm, to, MPI_TAG_BARRIER, NULL, 0);
    transport_wait(receive, NULL);
  }
  return MPI_SUCCESS;
}
