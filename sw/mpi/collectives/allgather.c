/* Gather to all ranks. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, RING, BRUCK, RECURSIVE_DOUBLING, LINEAR };
MPI_CHOICE(allgather, "ring", "bruck", "recursive-doubling", "linear");

void mpi_add_ring(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int self) {
  const int right = mpi_to_rank(comm, comm->rank, 1), left = mpi_to_rank(comm, comm->rank, comm->size - 1);
  for (int step = 1; step < comm->size; ++step) {
    const struct mpi_block* out = &blocks[(self - step + 1 + comm->size) % comm->size];
    const struct mpi_block* in = &blocks[(self - step + comm->size) % comm->size];
    mpi_add_receive(schedule, left, in->at, in->bytes);
    mpi_add_send(schedule, right, out->at, out->bytes);
    mpi_add_round(schedule);
  }
}

static void linear(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks) {
  for (int i = 1; i < comm->size; ++i) {
    const int from = mpi_to_rank(comm, comm->rank, comm->size - i);
    mpi_add_receive(schedule, from, blocks[from].at, blocks[from].bytes);
  }
  const struct mpi_block* own = &blocks[comm->rank];
  for (int i = 1; i < comm->size; ++i) mpi_add_send(schedule, mpi_to_rank(comm, comm->rank, i), own->at, own->bytes);
}

/* The scratch space holds this rank's block, then those of the ranks after it; their number doubles in each round. */
static void bruck(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks) {
  size_t* at = mpi_schedule_room(schedule, ((size_t)comm->size + 1) * sizeof *at);
  at[0] = 0;
  for (int i = 0; i < comm->size; ++i) at[i + 1] = at[i] + blocks[mpi_to_rank(comm, comm->rank, i)].bytes;
  char* room = mpi_schedule_room(schedule, at[comm->size]);
  mpi_add_copy(schedule, blocks[comm->rank].at, room, at[1]);
  for (int have = 1; have < comm->size; have *= 2) {
    const int more = have < comm->size - have ? have : comm->size - have;
    mpi_add_receive(schedule, mpi_to_rank(comm, comm->rank, have), room + at[have], at[have + more] - at[have]);
    mpi_add_send(schedule, mpi_to_rank(comm, comm->rank, comm->size - have), room, at[more]);
    mpi_add_round(schedule);
  }
  for (int i = 1; i < comm->size; ++i)
    mpi_add_copy(schedule, room + at[i], blocks[mpi_to_rank(comm, comm->rank, i)].at, at[i + 1] - at[i]);
}

void mpi_add_block_doubling(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int root) {
  const int self = mpi_from_root(comm, comm->rank, root);
  for (int have = 1; have < comm->size; have *= 2) {
    const int there = self ^ have, peer = mpi_to_rank(comm, there, root);
    const struct mpi_block *mine = &blocks[self & -have], *theirs = &blocks[there & -have];
    mpi_add_receive(schedule, peer, theirs->at, (size_t)(theirs[have - 1].at - theirs->at) + theirs[have - 1].bytes);
    mpi_add_send(schedule, peer, mine->at, (size_t)(mine[have - 1].at - mine->at) + mine[have - 1].bytes);
    mpi_add_round(schedule);
  }
}

static void build(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int even) {
  size_t bytes = 0;
  for (int i = 0; i < comm->size; ++i) bytes += blocks[i].bytes;
  const int doubles = even && mpi_is_power_of_two(comm->size);
  if (bytes == 0) return;
  int chosen = mpi_choose(&mpi_allgather_choice, bytes / (size_t)comm->size, comm->size);
  if (chosen == RECURSIVE_DOUBLING && !doubles) chosen = BRUCK;
  if (chosen == RING) mpi_add_ring(schedule, comm, blocks, comm->rank);
  if (chosen == BRUCK) bruck(schedule, comm, blocks);
  if (chosen == RECURSIVE_DOUBLING) mpi_add_block_doubling(schedule, comm, blocks, 0);
  if (chosen == LINEAR) linear(schedule, comm, blocks);
}

static int open(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                int receive_count, MPI_Datatype receive_type, MPI_Comm comm, struct mpi_schedule** opened) {
  if (mpi_is_inter(comm)) {
    int counts[comm->size], offsets[comm->size];
    MPI_TRY(mpi_even_counts(call, comm, receive_count, counts, offsets));
    return mpi_inter_allgather(call, send, send_count, send_type, receive, counts, offsets, receive_type, comm, opened);
  }
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_data(call, receive, receive_count, receive_type));
  if (send == MPI_IN_PLACE) {
    send = mpi_element(receive, (ptrdiff_t)comm->rank * receive_count, receive_type);
    send_count = receive_count;
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const struct mpi_block own = mpi_packed_block(schedule, send, send_count, send_type);
  void* data = mpi_to_unpack(schedule, receive, (size_t)comm->size * (size_t)receive_count, receive_type);
  const struct mpi_block* blocks = mpi_even_blocks(schedule, comm, data, (size_t)receive_count * receive_type->bytes);
  mpi_copy_own(schedule, comm, own, blocks[comm->rank]);
  build(schedule, comm, blocks, 1);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Allgather ---- */
int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open("MPI_Allgather", send, send_count, send_type, receive, receive_count, receive_type, comm, &schedule));
  return mpi_schedule_make(schedule);
}

/* ---- MPI_Iallgather ---- */
int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Iallgather";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open(call, send, send_count, send_type, receive, receive_count, receive_type, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

static int open_v(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                  struct mpi_schedule** opened) {
  if (mpi_is_inter(comm))
    return mpi_inter_allgather(call, send, send_count, send_type, receive, receive_counts, offsets, receive_type, comm,
                               opened);
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  if (send == MPI_IN_PLACE) {
    send = mpi_element(receive, offsets[comm->rank], receive_type);
    send_count = receive_counts[comm->rank];
    send_type = receive_type;
  }
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const struct mpi_block own = mpi_packed_block(schedule, send, send_count, send_type);
  const struct mpi_block* blocks = mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type);
  mpi_copy_own(schedule, comm, own, blocks[comm->rank]);
  build(schedule, comm, blocks, 0);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Allgatherv, MPI_Iallgatherv ---- */
int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                   const int* offsets, MPI_Datatype receive_type, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(open_v("MPI_Allgatherv", send, send_count, send_type, receive, receive_counts, offsets, receive_type, comm,
                 &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                    const int* offsets, MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Iallgatherv";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(open_v(call, send, send_count, send_type, receive, receive_counts, offsets, receive_type, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}
