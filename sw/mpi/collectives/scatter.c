/* Scatter from a root. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/collectives/inter_collective.h"

enum { AUTO, LINEAR, BINOMIAL };
MPI_CHOICE(scatter, "linear", "binomial");

/* Directly from the root. blocks: only at the root. */
static void linear(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, struct mpi_block own,
                   int root) {
  if (comm->rank != root) {
    mpi_add_receive(schedule, root, own.at, own.bytes);
    return;
  }
  for (int i = 1; i < comm->size; ++i) {
    const int to = mpi_to_rank(comm, i, root);
    mpi_add_send(schedule, to, blocks[to].at, blocks[to].bytes);
  }
  mpi_add_own(schedule, comm, blocks[root], own);
}

/* Rank r, counted from the root, gets the blocks of the ranks from r to r + its lowest bit. */
static void binomial(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, struct mpi_block own,
                     int root) {
  const size_t bytes = comm->rank == root ? blocks[root].bytes : own.bytes;
  const int self = mpi_from_root(comm, comm->rank, root);
  int bit = 1;
  while (bit < comm->size && !(self & bit)) bit *= 2;
  const int end = self + bit < comm->size ? self + bit : comm->size;
  char* room = mpi_schedule_room(schedule, (size_t)(end - self) * bytes);
  if (self == 0) {
    for (int i = 0; i < comm->size; ++i)
      mpi_add_copy(schedule, blocks[mpi_to_rank(comm, i, root)].at, room + (size_t)i * bytes, bytes);
  } else {
    mpi_add_receive(schedule, mpi_to_rank(comm, self - bit, root), room, (size_t)(end - self) * bytes);
    mpi_add_round(schedule);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (self + bit >= end) continue;
    const int there = 2 * bit < end - self ? bit : end - self - bit;
    mpi_add_send(schedule, mpi_to_rank(comm, self + bit, root), room + (size_t)bit * bytes, (size_t)there * bytes);
  }
  mpi_add_own(schedule, comm, (struct mpi_block){self == 0 ? blocks[root].at : room, bytes}, own);
}

static int scatter(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                   struct mpi_schedule** opened) {
  if (mpi_is_inter(comm)) {
    int counts[comm->size], offsets[comm->size];
    MPI_TRY(mpi_even_counts(call, comm, root == MPI_ROOT ? send_count : 0, counts, offsets));
    return mpi_inter_scatter(call, send, counts, offsets, send_type, receive, receive_count, receive_type, root, comm,
                             opened);
  }
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_root(call, root, comm));
  if (comm->rank == root) MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  const int in_place = receive == MPI_IN_PLACE && comm->rank == root;
  if (!in_place) MPI_TRY(mpi_check_data(call, receive, receive_count, receive_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_block* blocks = NULL;
  if (comm->rank == root) {
    const void* data = mpi_packed(schedule, send, (size_t)comm->size * (size_t)send_count, send_type);
    blocks = mpi_even_blocks(schedule, comm, (void*)data, (size_t)send_count * send_type->bytes);
  }
  const struct mpi_block own =
      in_place ? blocks[root] : mpi_block_to_unpack(schedule, receive, receive_count, receive_type);
  if (mpi_choose(&mpi_scatter_choice, own.bytes, comm->size) == BINOMIAL)
    binomial(schedule, comm, blocks, own, root);
  else
    linear(schedule, comm, blocks, own, root);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Scatter, MPI_Iscatter ---- */
int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(
      scatter("MPI_Scatter", send, send_count, send_type, receive, receive_count, receive_type, root, comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Iscatter";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(scatter(call, send, send_count, send_type, receive, receive_count, receive_type, root, comm, &schedule));
  return mpi_schedule_start(schedule, request);
}

static int scatterv(const char* call, const void* send, const int* send_counts, const int* offsets,
                    MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type, int root,
                    MPI_Comm comm, struct mpi_schedule** opened) {
  if (mpi_is_inter(comm))
    return mpi_inter_scatter(call, send, send_counts, offsets, send_type, receive, receive_count, receive_type, root,
                             comm, opened);
  MPI_TRY(mpi_check_intra(call, comm));
  MPI_TRY(mpi_check_root(call, root, comm));
  if (comm->rank == root) MPI_TRY(mpi_check_counts(call, comm, send, send_counts, offsets, send_type));
  const int in_place = receive == MPI_IN_PLACE && comm->rank == root;
  if (!in_place) MPI_TRY(mpi_check_data(call, receive, receive_count, receive_type));
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  struct mpi_block* blocks = NULL;
  if (comm->rank == root) blocks = mpi_packed_blocks(schedule, comm, send, send_counts, offsets, send_type);
  const struct mpi_block own =
      in_place ? blocks[root] : mpi_block_to_unpack(schedule, receive, receive_count, receive_type);
  linear(schedule, comm, blocks, own, root);
  *opened = schedule;
  return MPI_SUCCESS;
}

/* ---- MPI_Scatterv, MPI_Iscatterv ---- */
int MPI_Scatterv(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type, void* receive,
                 int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  struct mpi_schedule* schedule;
  MPI_TRY(scatterv("MPI_Scatterv", send, send_counts, offsets, send_type, receive, receive_count, receive_type, root,
                   comm, &schedule));
  return mpi_schedule_make(schedule);
}

int MPI_Iscatterv(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type, void* receive,
                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  static const char call[] = "MPI_Iscatterv";
  MPI_TRY(mpi_check_result(call, request));
  struct mpi_schedule* schedule;
  MPI_TRY(scatterv(call, send, send_counts, offsets, send_type, receive, receive_count, receive_type, root, comm,
                   &schedule));
  return mpi_schedule_start(schedule, request);
}
