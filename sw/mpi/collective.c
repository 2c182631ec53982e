/* Messages inside collective operations: in a context of their own, so that no receive of the program takes them. */
#include "sw/mpi/internal.h"

void mpi_collective_send(MPI_Comm comm, int to, int tag, const void* buffer, size_t bytes) {
  transport_wait(transport_send(mpi_process(comm, to), mpi_collective_tag(comm, tag), buffer, bytes, 0), NULL);
}

void mpi_collective_receive(MPI_Comm comm, int from, int tag, void* buffer, size_t bytes) {
  transport_wait(transport_receive(mpi_process(comm, from), mpi_collective_tag(comm, tag), UINT64_MAX, buffer, bytes),
                 NULL);
}

void mpi_collective_exchange(MPI_Comm comm, int peer, int tag, const void* out, void* in, size_t bytes) {
  struct transport_request* receive =
      transport_receive(mpi_process(comm, peer), mpi_collective_tag(comm, tag), UINT64_MAX, in, bytes);
  mpi_collective_send(comm, peer, tag, out, bytes);
  transport_wait(receive, NULL);
}
