/* Gather to a root. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, LINEAR, BINOMIAL };
MPI_CHOICE(gather, "linear", "binomial");

/* Directly to the root. blocks: only at the root. */
static void linear(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, const struct mpi_block* blocks,
                   int root) {
  if (comm->rank != root) {
    mpi_add_send(schedule, root, own.at, own.bytes);
    return;
  }
  for (int i = 1; i < comm->size; ++i) {
    const int from = mpi_to_rank(comm, i, root);
    mpi_add_receive(schedule, from, blocks[from].at, blocks[from].bytes);
  }
  mpi_add_own(schedule, comm, own, blocks[root]);
}

/* Rank r, counted from the root, collects the blocks of the ranks from r to r + its lowest bit. */
static void binomial(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, const struct mpi_block* blocks,
                     int root) {
  const size_t bytes = comm->rank == root ? blocks[root].bytes : own.bytes;
  const int self = mpi_from_root(comm, comm->rank, root);
  int lowest = 1;
  while (lowest < comm->size && !(self & lowest)) lowest *= 2;
  const int end = self + lowest < comm->size ? self + lowest : comm->size;
  char* room = mpi_schedule_room(schedule, (size_t)(end - self) * bytes);
  mpi_add_own(schedule, comm, own, (struct mpi_block){room, bytes});
  for (int bit = 1; bit < lowest && self + bit < end; bit *= 2) {
    const int there = 2 * bit < end - self ? bit : end - self - bit;
    mpi_add_receive(schedule, mpi_to_rank(comm, self + bit, root), room + (size_t)bit * bytes, (size_t)there * bytes);
  }
  mpi_add_round(schedule);
  if (self > 0) {
    mpi_add_send(schedule, mpi_to_rank(comm, self - lowest, root), room, (size_t)(end - self) * bytes);
    return;
  }
  for (int i = 0; i < comm->size; ++i)
    mpi_add_copy(schedule, room + (size_t)i * bytes, blocks[mpi_to_rank(comm, i, root)].at, bytes);
}

static int gather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm, struct mpi_schedule** opened) {
  if (mpi_is_inter(comm)) {
    int counts[comm->size], offsets[comm->size];
    MPI_TRY(mpi_even_counts(call, comm, root == MPI_ROOT ? receive_count : 0, counts, offsets));
    return mpi_inter_gather(call, send, send_count, send_type, receive, counts, offsets, receive_type, root, comm,
                            opened);
  }
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_root(call, root, comm));
  if (comm->rank == root) MPI_TRY(mpi_check_data(call, receive, receive_count, receive_type));
  if (send == MPI_IN_PLACE && comm->rank == root) {
    send = mpi_element(receive, (ptrdiff_t)root * receive_count, receive_type);
    send_count = receive_count;
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const struct mpi_block own = mpi_packed_block(schedule, send, send_count, send_type);
  struct mpi_block* blocks = NULL;
  if (comm->rank == root) {
    void* data = mpi_to_unpack(schedule, receive, (size_t)comm->size * (size_t)receive_count, receive_type);
    blocks = mpi_even_blocks(schedule, comm, data, (size_t)receive_count * receive_type->bytes);
  }
  if (mpi_choose(&mpi_gather_choice, own.bytes, comm->size) == BINOMIAL)
    binomial(schedule, comm, own, blocks, root);
  else
    linear(schedule, comm, own, blocks, root);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Gather, MPI_Igather ---- */
int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(
      gather("MPI_Gather", send, send_count, send_type, receive, receive_count, receive_type, root, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Igather";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(gather(call, send, send_count, send_type, receive, receive_count, receive_type, root, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

static int gatherv(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   const int* receive_counts, const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm,
                   struct mpi_schedule** opened) {
  if (mpi_is_inter(comm))
    return mpi_inter_gather(call, send, send_count, send_type, receive, receive_counts, offsets, receive_type, root,
                            comm, opened);
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_root(call, root, comm));
  if (comm->rank == root) MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  if (send == MPI_IN_PLACE && comm->rank == root) {
    send = mpi_element(receive, offsets[root], receive_type);
    send_count = receive_counts[root];
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const struct mpi_block own = mpi_packed_block(schedule, send, send_count, send_type);
  struct mpi_block* blocks = NULL;
  if (comm->rank == root) blocks = mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type);
  linear(schedule, comm, own, blocks, root);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Gatherv, MPI_Igatherv ---- */
int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(gatherv("MPI_Gatherv", send, send_count, send_type, receive, receive_counts, offsets, receive_type, root,
                  comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                 const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Igatherv";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(gatherv(call, send, send_count, send_type, receive, receive_counts, offsets, receive_type, root, comm,
                  &schedule));
  return mpi_schedule_start(schedule, request);
}
