/* Collective operations between two groups: the usual ones within each group, plain messages, all at once, between
 * them. */
#include "sw/mpi/collectives/inter_collective.h"

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"

void mpi_inter_add_leaders(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block other) {
  mpi_schedule_among(schedule, comm);
  if (comm->rank == 0) {
    mpi_add_receive(schedule, 0, other.at, other.bytes);
    mpi_add_send(schedule, 0, own.at, own.bytes);
    mpi_add_round(schedule);
  }
  mpi_schedule_among(schedule, comm->local);
}

void mpi_inter_add_exchange(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own,
                            struct mpi_block other) {
  mpi_inter_add_leaders(schedule, comm, own, other);
  if (other.bytes > 0)
    mpi_add_broadcast(schedule, comm->local, other.at, other.bytes, 0);
  else
    mpi_add_binomial_broadcast(schedule, comm->local, NULL, 0, 0);
}

int mpi_inter_exchange(const char* call, MPI_Comm comm, const void* own, size_t own_bytes, void* other,
                       size_t other_bytes) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  mpi_inter_add_exchange(schedule, comm, (struct mpi_block){(void*)own, own_bytes},
                         (struct mpi_block){other, other_bytes});
  return mpi_schedule_make(schedule);
}

static int check_root(const char* call, int root, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  return root == MPI_ROOT || root == MPI_PROC_NULL ? MPI_SUCCESS : mpi_check_root(call, root, comm);
}

/* Called after the checks of a call. */
static struct mpi_schedule* begin(const char* call, MPI_Comm comm) { return mpi_schedule_open(call, comm); }

void mpi_inter_add_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                          const struct mpi_block* in) {
  for (int i = 0; in && i < comm->size; ++i) mpi_add_receive(schedule, i, in[i].at, in[i].bytes);
  for (int i = 0; out && i < comm->size; ++i) mpi_add_send(schedule, i, out[i].at, out[i].bytes);
}

/* ---- with a root ---- */
/* Sends elements from one process to one of the other group. */
static int send_one(const char* call, MPI_Comm comm, int to, const void* buffer, int count, MPI_Datatype type,
                    struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  *opened = begin(call, comm);
  mpi_add_send(*opened, to, mpi_packed(*opened, buffer, (size_t)count, type), (size_t)count * type->bytes);
  return MPI_SUCCESS;
}

static int receive_one(const char* call, MPI_Comm comm, int from, void* buffer, int count, MPI_Datatype type,
                       struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  *opened = begin(call, comm);
  mpi_add_receive(*opened, from, mpi_to_unpack(*opened, buffer, (size_t)count, type), (size_t)count * type->bytes);
  return MPI_SUCCESS;
}

/* Processes with nothing to do count the operation as well. */
static int do_nothing(const char* call, MPI_Comm comm, struct mpi_schedule** opened) {
  *opened = begin(call, comm);
  return MPI_SUCCESS;
}

int mpi_inter_broadcast(const char* call, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                        struct mpi_schedule** opened) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm, opened);
  if (root == MPI_ROOT) return send_one(call, comm, 0, buffer, count, type, opened);
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  struct mpi_schedule* schedule = *opened = begin(call, comm);
  const size_t bytes = (size_t)count * type->bytes;
  void* data = mpi_to_unpack(schedule, buffer, (size_t)count, type);
  if (comm->rank == 0) mpi_add_receive(schedule, root, data, bytes);
  mpi_add_round(schedule);
  mpi_schedule_among(schedule, comm->local);
  mpi_add_broadcast(schedule, comm->local, data, bytes, 0);
  return MPI_SUCCESS;
}

int mpi_inter_gather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     const int* receive_counts, const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm,
                     struct mpi_schedule** opened) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm, opened);
  if (root != MPI_ROOT) return send_one(call, comm, root, send, send_count, send_type, opened);
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  struct mpi_schedule* schedule = *opened = begin(call, comm);
  mpi_inter_add_blocks(schedule, comm, NULL,
                       mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type));
  return MPI_SUCCESS;
}

int mpi_inter_scatter(const char* call, const void* send, const int* send_counts, const int* offsets,
                      MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type, int root,
                      MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm, opened);
  if (root != MPI_ROOT) return receive_one(call, comm, root, receive, receive_count, receive_type, opened);
  MPI_TRY(mpi_check_counts(call, comm, send, send_counts, offsets, send_type));
  struct mpi_schedule* schedule = *opened = begin(call, comm);
  mpi_inter_add_blocks(schedule, comm, mpi_packed_blocks(schedule, comm, send, send_counts, offsets, send_type), NULL);
  return MPI_SUCCESS;
}

/* ---- from all to all; but for MPI_Alltoall and its kin (alltoall.c), MPI_Reduce_scatter and its ---- */
int mpi_inter_allgather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                        struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  struct mpi_schedule* schedule = *opened = begin(call, comm);
  struct mpi_block* out = mpi_schedule_room(schedule, (size_t)comm->size * sizeof *out);
  void* data = (void*)mpi_packed(schedule, send, (size_t)send_count, send_type);
  for (int i = 0; i < comm->size; ++i) out[i] = (struct mpi_block){data, (size_t)send_count * send_type->bytes};
  mpi_inter_add_blocks(schedule, comm, out,
                       mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type));
  return MPI_SUCCESS;
}

/* ---- reductions: of one group's elements, for the other group ---- */
static int check_reduction(const char* call, const void* send, const void* receive, int count, MPI_Datatype type,
                           MPI_Op op) {
  MPI_TRY(mpi_check_data(call, send, count, type)); /* MPI_IN_PLACE is not permitted between groups */
  return mpi_check_reduction(call, send, receive, count, type, op);
}

/* Reduces the local group's elements to its rank 0. */
static struct mpi_vector add_local_reduction(struct mpi_schedule* schedule, MPI_Comm comm, const void* send,
                                             size_t count, MPI_Datatype type, MPI_Op op) {
  struct mpi_vector vector = mpi_vector_of(schedule, send, NULL, count, type, op);
  if (comm->rank == 0) mpi_vector_own(schedule, &vector);
  mpi_schedule_among(schedule, comm->local);
  mpi_add_reduction(schedule, comm->local, &vector, 0);
  mpi_add_round(schedule);
  return vector;
}

int mpi_inter_reduce(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                     int root, MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm, opened);
  if (root == MPI_ROOT) {
    MPI_TRY(mpi_check_data(call, receive, count, type));
    *opened = begin(call, comm);
    const struct mpi_vector other = mpi_vector_to_fill(*opened, receive, (size_t)count, type);
    mpi_add_receive(*opened, 0, other.own, other.bytes);
    return MPI_SUCCESS;
  }
  MPI_TRY(check_reduction(call, send, send, count, type, op));
  *opened = begin(call, comm);
  const struct mpi_vector own = add_local_reduction(*opened, comm, send, (size_t)count, type, op);
  mpi_schedule_among(*opened, comm);
  if (comm->rank == 0) mpi_add_send(*opened, root, own.own, own.bytes);
  return MPI_SUCCESS;
}

int mpi_inter_allreduce(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, struct mpi_schedule** opened) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(check_reduction(call, send, receive, count, type, op));
  *opened = begin(call, comm);
  const struct mpi_vector own = add_local_reduction(*opened, comm, send, (size_t)count, type, op);
  const struct mpi_vector other = mpi_vector_to_fill(*opened, receive, (size_t)count, type);
  mpi_inter_add_exchange(*opened, comm, (struct mpi_block){own.own, own.bytes},
                         (struct mpi_block){other.own, other.bytes});
  return MPI_SUCCESS;
}
