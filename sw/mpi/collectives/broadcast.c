/* Broadcasts. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/deaths.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, HARDWARE, BINOMIAL, SCATTER_ALLGATHER, CHAIN };
MPI_CHOICE(bcast, "hardware", "binomial", "scatter-allgather", "chain");

/* Between two ranks a message is faster. */
#define HARDWARE_LEAST_RANKS 3

/* Rank r, counted from the root, receives from the rank that is r without its lowest bit. */
void mpi_add_binomial_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root) {
  const int self = mpi_from_root(comm, comm->rank, root);
  int bit = 1;
  while (bit < comm->size && !(self & bit)) bit *= 2;
  if (self > 0) {
    mpi_add_receive(schedule, mpi_to_rank(comm, self - bit, root), buffer, bytes);
    mpi_add_round(schedule);
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (self + bit < comm->size) mpi_add_send(schedule, mpi_to_rank(comm, self + bit, root), buffer, bytes);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* A binomial tree, whose messages are halved at each level, gives each rank a block; then all ranks gather all blocks.
 */
static void scatter_allgather(struct mpi_schedule* schedule, MPI_Comm comm, char* buffer, size_t bytes, int root) {
  const size_t size = (size_t)comm->size, block = (bytes + size - 1) / size;
  const int self = mpi_from_root(comm, comm->rank, root);
  struct mpi_block* blocks = mpi_schedule_room(schedule, size * sizeof *blocks);
  for (size_t i = 0; i < size; ++i) {
    const size_t begin = least(i * block, bytes);
    blocks[i] = (struct mpi_block){buffer + begin, least(begin + block, bytes) - begin};
  }
  int bit = 1;
  while (bit < comm->size && !(self & bit)) bit *= 2;
  const size_t end = least((size_t)(self + bit) * block, bytes), begin = least((size_t)self * block, bytes);
  if (self > 0) {
    mpi_add_receive(schedule, mpi_to_rank(comm, self - bit, root), buffer + begin, end - begin);
    mpi_add_round(schedule);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (self + bit >= comm->size) continue;
    const size_t from = least((size_t)(self + bit) * block, bytes), to = least((size_t)(self + 2 * bit) * block, bytes);
    mpi_add_send(schedule, mpi_to_rank(comm, self + bit, root), buffer + from, to - from);
  }
  mpi_add_round(schedule);
  if (mpi_is_power_of_two(comm->size))
    mpi_add_block_doubling(schedule, comm, blocks, root);
  else
    mpi_add_ring(schedule, comm, blocks, self);
}

static struct mpi_schedule* open(const char* call, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                                 void** data) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  if (comm->rank == root)
    *data = (void*)mpi_packed(schedule, buffer, (size_t)count, type);
  else
    *data = mpi_to_unpack(schedule, buffer, (size_t)count, type);
  return schedule;
}

void mpi_add_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* data, size_t bytes, int root) {
  if (bytes == 0 || comm->size == 1) return;
  int chosen = mpi_chosen(&mpi_bcast_choice, bytes);
  if (chosen == AUTO || chosen == HARDWARE)
    chosen = comm->size > 2 ? mpi_advised(&mpi_bcast_choice, bytes, comm->size) : BINOMIAL;
  if (chosen == SCATTER_ALLGATHER)
    scatter_allgather(schedule, comm, data, bytes, root);
  else if (chosen == CHAIN)
    mpi_add_chain_broadcast(schedule, comm, data, bytes, root);
  else
    mpi_add_binomial_broadcast(schedule, comm, data, bytes, root);
}

static int check(const char* call, const void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  MPI_TRY(mpi_check_root(call, root, comm));
  return MPI_SUCCESS;
}

/* ---- MPI_Bcast ---- */
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static const char call[] = "MPI_Bcast";
  struct mpi_schedule* schedule;
  if (mpi_is_inter(comm)) {
    MPI_TRY(mpi_inter_broadcast(call, buffer, count, type, root, comm, &schedule));
    return mpi_schedule_make(schedule);
  }
  MPI_TRY(check(call, buffer, count, type, root, comm));
  void* data;
  schedule = open(call, buffer, count, type, root, comm, &data);
  const size_t bytes = (size_t)count * type->bytes;
  const int chosen = mpi_chosen(&mpi_bcast_choice, bytes);
  const int hardware = chosen == HARDWARE || (chosen == AUTO && comm->size >= HARDWARE_LEAST_RANKS);
  const int tries = bytes > 0 && hardware && mpi_death_among(comm) == 0;
  if (!tries || !mpi_hardware_broadcast(comm, data, bytes, root)) {
    mpi_add_broadcast(schedule, comm, data, bytes, root);
  } else if (mpi_death_among(comm)) { /* it may have been given up */
    const int dead = mpi_death_among(comm);
    mpi_schedule_free(schedule);
    return mpi_fail_dead(comm, call, dead);
  }
  return mpi_schedule_make(schedule);
}

/* ---- MPI_Ibcast ---- */
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Ibcast";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  if (mpi_is_inter(comm)) {
    MPI_TRY(mpi_inter_broadcast(call, buffer, count, type, root, comm, &schedule));
    return mpi_schedule_start(schedule, request);
  }
  MPI_TRY(check(call, buffer, count, type, root, comm));
  void* data;
  schedule = open(call, buffer, count, type, root, comm, &data);
  mpi_add_broadcast(schedule, comm, data, (size_t)count * type->bytes, root);
  return mpi_schedule_start(schedule, request);
}
