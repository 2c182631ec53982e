#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* Binomial tree: rank r, counted from the root, gets it from r without its lowest bit. */
static void binomial(MPI_Comm comm, void* buffer, size_t bytes, int root) {
  const int self = (comm->rank - root + comm->size) % comm->size;
  int bit = 1;
  for (; bit < comm->size; bit *= 2)
    if (self & bit) {
      mpi_collective_receive(comm, (self - bit + root) % comm->size, MPI_TAG_BCAST, buffer, bytes);
      break;
    }
  for (bit /= 2; bit > 0; bit /= 2)
    if (self + bit < comm->size)
      mpi_collective_send(comm, (self + bit + root) % comm->size, MPI_TAG_BCAST, buffer, bytes);
}

/* ---- MPI_Bcast ---- */
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  mpi_check_comm("MPI_Bcast", comm);
  mpi_check_data("MPI_Bcast", buffer, count, type);
  mpi_check_rank("MPI_Bcast", root, comm);
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  const size_t bytes = (size_t)count * type->bytes;
  if (bytes == 0 || comm->size == 1) return MPI_SUCCESS;
  if (comm == MPI_COMM_WORLD && transport_broadcast(buffer, bytes, mpi_process(comm, root))) return MPI_SUCCESS;
  binomial(comm, buffer, bytes, root);
  return MPI_SUCCESS;
}
