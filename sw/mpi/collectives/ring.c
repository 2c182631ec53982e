/* Rings: slices of a vector go around and are added up on their way. Each rank only ever talks to its neighbours, and
 * each link carries each slice once. */
#include "sw/mpi/collectives/collective.h"

static int around(MPI_Comm comm, int rank) { return (rank % comm->size + comm->size) % comm->size; }

void mpi_add_ring_of_slices(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector,
                            const int* counts, const size_t* at) {
  const int right = mpi_to_rank(comm, comm->rank, 1), left = mpi_to_rank(comm, comm->rank, comm->size - 1);
  char* const other = mpi_vector_room(schedule, vector);
  for (int step = 0; step + 1 < comm->size; ++step) {
    const int out = around(comm, comm->rank - step - 1), in = around(comm, comm->rank - step - 2);
    mpi_add_receive(schedule, left, other + at[in], (size_t)counts[in] * vector->stride);
    mpi_add_send(schedule, right, vector->own + at[out], (size_t)counts[out] * vector->stride);
    mpi_add_round(schedule);
    mpi_add_combine(schedule, other + at[in], vector->own + at[in], (size_t)counts[in]);
  }
}

void mpi_add_ring_of_sums(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector) {
  const size_t size = (size_t)comm->size;
  int* counts = mpi_schedule_room(schedule, size * sizeof *counts);
  size_t* at = mpi_schedule_room(schedule, size * sizeof *at);
  struct mpi_block* blocks = mpi_schedule_room(schedule, size * sizeof *blocks);
  for (size_t i = 0; i < size; ++i) {
    const size_t begin = vector->count * i / size;
    counts[i] = (int)(vector->count * (i + 1) / size - begin);
    at[i] = begin * vector->stride;
    blocks[i] = (struct mpi_block){vector->own + at[i], (size_t)counts[i] * vector->stride};
  }
  mpi_add_ring_of_slices(schedule, comm, vector, counts, at);
  mpi_add_ring(schedule, comm, blocks, comm->rank);
}
