/* Collective operations between two groups: within a group the usual ones, across it plain messages, all at once. */
#include "sw/mpi/inter_collective.h"

#include <limits.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

int mpi_inter_exchange(const char* call, MPI_Comm comm, const void* own, size_t own_bytes, void* other,
                       size_t other_bytes) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  if (comm->rank == 0) {
    mpi_add_receive(schedule, 0, other, other_bytes);
    mpi_add_send(schedule, 0, own, own_bytes);
  }
  MPI_TRY(mpi_schedule_make(schedule));
  return MPI_Bcast(other, (int)other_bytes, MPI_BYTE, 0, comm->local);
}

static int check_root(const char* call, int root, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  return root == MPI_ROOT || root == MPI_PROC_NULL ? MPI_SUCCESS : mpi_check_root(call, root, comm);
}

/* After the checks of a call. */
static struct mpi_schedule* begin(const char* call, MPI_Comm comm) {
  hal_instructions(MPI_INSTRUCTIONS_CALL);
  return mpi_schedule_open(call, comm);
}

void mpi_inter_add_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                          const struct mpi_block* in) {
  for (int i = 0; in && i < comm->size; ++i) mpi_add_receive(schedule, i, in[i].at, in[i].bytes);
  for (int i = 0; out && i < comm->size; ++i) mpi_add_send(schedule, i, out[i].at, out[i].bytes);
}

/* ---- no data ---- */
int mpi_inter_barrier(MPI_Comm comm) {
  char own = 0, other;
  MPI_TRY(MPI_Barrier(comm->local));
  return mpi_inter_exchange("MPI_Barrier", comm, &own, sizeof own, &other, sizeof other);
}

/* ---- with a root ---- */
/* Elements from one process to one of the other group. */
static int send_one(const char* call, MPI_Comm comm, int to, const void* buffer, int count, MPI_Datatype type) {
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  struct mpi_schedule* schedule = begin(call, comm);
  mpi_add_send(schedule, to, mpi_packed(schedule, buffer, (size_t)count, type), (size_t)count * type->bytes);
  return mpi_schedule_make(schedule);
}

static int receive_one(const char* call, MPI_Comm comm, int from, void* buffer, int count, MPI_Datatype type) {
  MPI_TRY(mpi_check_data(call, buffer, count, type));
  struct mpi_schedule* schedule = begin(call, comm);
  mpi_add_receive(schedule, from, mpi_to_unpack(schedule, buffer, (size_t)count, type), (size_t)count * type->bytes);
  return mpi_schedule_make(schedule);
}

/* Those who have nothing to do count the operation as well. */
static int do_nothing(const char* call, MPI_Comm comm) { return mpi_schedule_make(begin(call, comm)); }

int mpi_inter_broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static const char call[] = "MPI_Bcast";
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm);
  if (root == MPI_ROOT) return send_one(call, comm, 0, buffer, count, type);
  if (comm->rank == 0)
    MPI_TRY(receive_one(call, comm, root, buffer, count, type));
  else
    MPI_TRY(do_nothing(call, comm));
  return MPI_Bcast(buffer, count, type, 0, comm->local);
}

int mpi_inter_gather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     const int* receive_counts, const int* offsets, MPI_Datatype receive_type, int root,
                     MPI_Comm comm) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm);
  if (root != MPI_ROOT) return send_one(call, comm, root, send, send_count, send_type);
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  struct mpi_schedule* schedule = begin(call, comm);
  mpi_inter_add_blocks(schedule, comm, NULL,
                       mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type));
  return mpi_schedule_make(schedule);
}

int mpi_inter_scatter(const char* call, const void* send, const int* send_counts, const int* offsets,
                      MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type, int root,
                      MPI_Comm comm) {
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm);
  if (root != MPI_ROOT) return receive_one(call, comm, root, receive, receive_count, receive_type);
  MPI_TRY(mpi_check_counts(call, comm, send, send_counts, offsets, send_type));
  struct mpi_schedule* schedule = begin(call, comm);
  mpi_inter_add_blocks(schedule, comm, mpi_packed_blocks(schedule, comm, send, send_counts, offsets, send_type), NULL);
  return mpi_schedule_make(schedule);
}

/* ---- from all to all; but for MPI_Alltoall and its kin (alltoall.c) ---- */
int mpi_inter_allgather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_data(call, send, send_count, send_type));
  MPI_TRY(mpi_check_counts(call, comm, receive, receive_counts, offsets, receive_type));
  struct mpi_schedule* schedule = begin(call, comm);
  struct mpi_block* out = mpi_schedule_room(schedule, (size_t)comm->size * sizeof *out);
  void* data = (void*)mpi_packed(schedule, send, (size_t)send_count, send_type);
  for (int i = 0; i < comm->size; ++i) out[i] = (struct mpi_block){data, (size_t)send_count * send_type->bytes};
  mpi_inter_add_blocks(schedule, comm, out,
                       mpi_blocks_to_unpack(schedule, comm, receive, receive_counts, offsets, receive_type));
  return mpi_schedule_make(schedule);
}

/* ---- reductions: of one group's elements, for the other group ---- */
struct sum {
  void* memory;
  char* elements; /* where element 0 is said to be */
};

static struct sum room_for(size_t count, MPI_Datatype type) {
  const size_t bytes = count * (size_t)mpi_extent(type) + (size_t)mpi_true_extent(type);
  struct sum sum = {.memory = mpi_zeroed_memory(bytes)};
  sum.elements = (char*)sum.memory - mpi_true_lower(type);
  return sum;
}

static int check_reduction(const char* call, const void* send, const void* receive, int count, MPI_Datatype type,
                           MPI_Op op) {
  MPI_TRY(mpi_check_data(call, send, count, type)); /* no call between groups works in place */
  return mpi_check_reduction(call, send, receive, count, type, op);
}

int mpi_inter_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm comm) {
  static const char call[] = "MPI_Reduce";
  MPI_TRY(check_root(call, root, comm));
  if (root == MPI_PROC_NULL) return do_nothing(call, comm);
  if (root == MPI_ROOT) return receive_one(call, comm, 0, receive, count, type);
  MPI_TRY(check_reduction(call, send, send, count, type, op));
  const struct sum sum = room_for((size_t)count, type);
  int error = MPI_Reduce(send, sum.elements, count, type, op, 0, comm->local);
  if (error == MPI_SUCCESS)
    error = comm->rank == 0 ? send_one(call, comm, root, sum.elements, count, type) : do_nothing(call, comm);
  free(sum.memory);
  return error;
}

/* Ranks 0 exchange the sums of their groups; `other` is that of the other one, at rank 0 alone. */
static int exchange_sums(const char* call, MPI_Comm comm, const void* own, void* other, int own_count, int other_count,
                         MPI_Datatype type) {
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  if (comm->rank == 0) {
    mpi_add_receive(schedule, 0, mpi_to_unpack(schedule, other, (size_t)other_count, type),
                    (size_t)other_count * type->bytes);
    mpi_add_send(schedule, 0, mpi_packed(schedule, own, (size_t)own_count, type), (size_t)own_count * type->bytes);
  }
  return mpi_schedule_make(schedule);
}

int mpi_inter_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static const char call[] = "MPI_Allreduce";
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(check_reduction(call, send, receive, count, type, op));
  const struct sum sum = room_for((size_t)count, type);
  int error = MPI_Reduce(send, sum.elements, count, type, op, 0, comm->local);
  if (error == MPI_SUCCESS) error = exchange_sums(call, comm, sum.elements, receive, count, count, type);
  free(sum.memory);
  MPI_TRY(error);
  return MPI_Bcast(receive, count, type, 0, comm->local);
}

/* Both groups have as many elements, `counts` of them for each rank of the own one. */
int mpi_inter_reduce_scatter(const char* call, const void* send, void* receive, const int* counts, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_counts(call, comm->local, send, counts, counts, type));
  const int ranks = comm->local->size;
  int at[ranks], all = 0;
  for (int i = 0; i < ranks; all += counts[i++]) {
    at[i] = all;
    if (counts[i] > INT_MAX - all)
      return mpi_fail(call, MPI_ERR_COUNT, "the counts of %d ranks are too many elements; take a datatype of several",
                      ranks);
  }
  MPI_TRY(check_reduction(call, send, receive, all, type, op));
  const struct sum own = room_for((size_t)all, type), other = room_for((size_t)all, type);
  int error = MPI_Reduce(send, own.elements, all, type, op, 0, comm->local);
  if (error == MPI_SUCCESS) error = exchange_sums(call, comm, own.elements, other.elements, all, all, type);
  if (error == MPI_SUCCESS)
    error = MPI_Scatterv(other.elements, counts, at, type, receive, counts[comm->rank], type, 0, comm->local);
  free(own.memory);
  free(other.memory);
  return error;
}
