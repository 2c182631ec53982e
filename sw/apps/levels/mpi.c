/* MPI: matching pairs of blocking sends and receives (paper 4.1). */
#include "sw/mpi/mpi.h"

#include <stdlib.h>

#include "sw/apps/levels/levels.h"
#include "sw/apps/levels/local_buffers.h"

#define TAG 7

struct mpi_level {
  struct local_buffers buffers;
  int partner;
};

static void finalize(void) { MPI_Finalize(); }

static void* create(size_t most, int elan_memory, int partner) {
  struct mpi_level* level = calloc(1, sizeof *level);
  level->buffers = local_buffers_create("mpi", most, elan_memory);
  level->partner = partner;
  MPI_Init(NULL, NULL);
  atexit(finalize);
  return level;
}

static void mpi_level_send(void* state, size_t bytes) {
  const struct mpi_level* level = state;
  MPI_Send(level->buffers.out, (int)bytes, MPI_BYTE, level->partner, TAG, MPI_COMM_WORLD);
}

static void receive(void* state, size_t bytes) {
  const struct mpi_level* level = state;
  MPI_Recv(level->buffers.in, (int)bytes, MPI_BYTE, level->partner, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(void* state, size_t bytes) {
  const struct mpi_level* level = state;
  MPI_Sendrecv(level->buffers.out, (int)bytes, MPI_BYTE, level->partner, TAG, level->buffers.in, (int)bytes, MPI_BYTE,
               level->partner, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void fill(void* state, size_t bytes, unsigned seed) {
  level_fill(((struct mpi_level*)state)->buffers.out, bytes, seed);
}

static size_t wrong(void* state, size_t bytes, unsigned seed) {
  return level_wrong(((struct mpi_level*)state)->buffers.in, bytes, seed);
}

static void barrier(void* state) {
  (void)state;
  MPI_Barrier(MPI_COMM_WORLD);
}

static uint64_t swap(void* state, uint64_t mine) {
  const struct mpi_level* level = state;
  uint64_t theirs = 0;
  MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, level->partner, TAG, &theirs, sizeof theirs, MPI_BYTE, level->partner, TAG,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return theirs;
}

const struct level level_mpi = {"mpi", create, mpi_level_send, receive, exchange, fill, wrong, barrier, swap};
