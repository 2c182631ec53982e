/* Chains: a vector in pieces from rank to rank, so that in the end all links of the chain carry some. */
#include "sw/mpi/collectives/collective.h"

/* (A): a message of it takes several times as long as one of no bytes, on all cards. */
#define PIECE_BYTES 8192u

static size_t pieces_of(size_t bytes) { return (bytes + PIECE_BYTES - 1) / PIECE_BYTES; }

static size_t piece_bytes(size_t bytes, size_t piece) {
  const size_t left = bytes - piece * PIECE_BYTES;
  return left < PIECE_BYTES ? left : PIECE_BYTES;
}

void mpi_add_chain_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root) {
  const int self = mpi_from_root(comm, comm->rank, root);
  const int before = mpi_to_rank(comm, comm->rank, comm->size - 1), after = mpi_to_rank(comm, comm->rank, 1);
  const size_t pieces = pieces_of(bytes);
  for (size_t piece = 0; piece <= pieces; ++piece) {
    char* const at = (char*)buffer + piece * PIECE_BYTES;
    if (self > 0 && piece < pieces) mpi_add_receive(schedule, before, at, piece_bytes(bytes, piece));
    if (self + 1 < comm->size && piece > 0)
      mpi_add_send(schedule, after, at - PIECE_BYTES, piece_bytes(bytes, piece - 1));
    mpi_add_round(schedule);
  }
}

/* A piece of `there` is the sum of those behind this rank, then of this one as well. */
void mpi_add_chain_reduction(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root) {
  const int self = mpi_from_root(comm, comm->rank, root), last = self + 1 == comm->size;
  const int before = mpi_to_rank(comm, comm->rank, comm->size - 1), after = mpi_to_rank(comm, comm->rank, 1);
  const size_t elements = vector->stride < PIECE_BYTES ? PIECE_BYTES / vector->stride : 1,
               bytes = elements * vector->stride;
  const size_t pieces = (vector->count + elements - 1) / elements;
  char* const there = last ? vector->own : mpi_vector_room(schedule, vector);
  for (size_t piece = 0; piece <= pieces; ++piece) {
    const size_t at = piece * bytes, left = vector->bytes - (piece < pieces ? at : vector->bytes);
    if (!last && piece < pieces) mpi_add_receive(schedule, after, there + at, left < bytes ? left : bytes);
    if (self > 0 && piece > 0) {
      const size_t sent = at - bytes, rest = vector->bytes - sent;
      mpi_add_send(schedule, before, there + sent, rest < bytes ? rest : bytes);
    }
    mpi_add_round(schedule);
    if (!last && piece < pieces)
      mpi_add_combine(schedule, vector->own + at, there + at, (left < bytes ? left : bytes) / vector->stride);
  }
  if (self == 0) mpi_add_copy(schedule, there, vector->own, vector->bytes);
}
