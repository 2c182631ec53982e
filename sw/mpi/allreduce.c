#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/internal.h"

/* Instructions to combine two elements (A). */
#define INSTRUCTIONS_ELEMENT 4

static void combine(const struct mpi_op* op, const void* in, void* inout, int count, MPI_Datatype type) {
  op->apply(in, inout, (size_t)count, type->kind);
  hal_instructions((uint64_t)count * INSTRUCTIONS_ELEMENT);
}

/* Recursive doubling among the largest power of two of ranks. Of the first `extra` pairs the odd one takes the even
 * one's part in, and gives it the result. Both of a pair that exchanges combine in the order of their ranks, so all get
 * the same bits. */
static void recursive_doubling(MPI_Comm comm, void* result, void* other, int count, MPI_Datatype type, MPI_Op op) {
  const size_t bytes = (size_t)count * type->bytes;
  int power = 1;
  while (2 * power <= comm->size) power *= 2;
  const int extra = comm->size - power;
  if (comm->rank < 2 * extra && comm->rank % 2 == 0) {
    mpi_collective_send(comm, comm->rank + 1, MPI_TAG_ALLREDUCE, result, bytes);
    mpi_collective_receive(comm, comm->rank + 1, MPI_TAG_ALLREDUCE, result, bytes);
    return;
  }
  if (comm->rank < 2 * extra) {
    mpi_collective_receive(comm, comm->rank - 1, MPI_TAG_ALLREDUCE, other, bytes);
    combine(op, other, result, count, type);
  }
  const int self = comm->rank < 2 * extra ? comm->rank / 2 : comm->rank - extra;
  for (int bit = 1; bit < power; bit *= 2) {
    const int there = self ^ bit;
    const int peer = there < extra ? 2 * there + 1 : there + extra;
    mpi_collective_exchange(comm, peer, MPI_TAG_ALLREDUCE, result, other, bytes);
    if (there > self) { /* mine op theirs */
      combine(op, result, other, count, type);
      memcpy(result, other, bytes);
    } else {
      combine(op, other, result, count, type);
    }
  }
  if (comm->rank < 2 * extra) mpi_collective_send(comm, comm->rank - 1, MPI_TAG_ALLREDUCE, result, bytes);
}

/* ---- MPI_Allreduce ---- */
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  mpi_check_comm("MPI_Allreduce", comm);
  mpi_check_data("MPI_Allreduce", receive, count, type);
  if (send != MPI_IN_PLACE) mpi_check_data("MPI_Allreduce", send, count, type);
  if (!op) return mpi_fail("MPI_Allreduce", MPI_ERR_OP, "the operation is MPI_OP_NULL");
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  const size_t bytes = (size_t)count * type->bytes;
  if (send != MPI_IN_PLACE && bytes > 0) memmove(receive, send, bytes);
  if (bytes == 0 || comm->size == 1) return MPI_SUCCESS;
  void* other = malloc(bytes);
  recursive_doubling(comm, receive, other, count, type, op);
  free(other);
  return MPI_SUCCESS;
}
