/* MPI_Barrier_init and the like (MPI-4, 6.13): a start is the nonblocking call with the same arguments. */
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/collectives/persistent_collective.h"

/* ---- from and to a root ---- */
static int start_bcast(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ibcast(of->receive, of->receive_count, of->receive_type, of->root, of->comm, request);
}

int MPI_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Bcast_init",
                                                     .start = start_bcast,
                                                     .rooted = MPI_SAME_AT_ROOT,
                                                     .receive = buffer,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

#define WITH_ROOT(name_, started_, rooted_, send_, receive_)                                                         \
  static int start_##name_(const struct mpi_persistent* of, MPI_Request* request) {                                  \
    return started_(send_##_ARGUMENTS(send), receive_##_ARGUMENTS(receive), of->root, of->comm, request);            \
  }                                                                                                                  \
  int MPI_##name_##_init(send_##_PARAMETERS(const, send), receive_##_PARAMETERS(, receive), int root, MPI_Comm comm, \
                         MPI_Info info, MPI_Request* request) {                                                      \
    (void)info;                                                                                                      \
    return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_" #name_ "_init",                                \
                                                       .start = start_##name_,                                       \
                                                       .rooted = rooted_,                                            \
                                                       send_##_FIELDS(send),                                         \
                                                       receive_##_FIELDS(receive),                                   \
                                                       .root = root,                                                 \
                                                       .comm = comm},                                                \
                              request);                                                                              \
  }                                                                                                                  \
  _Static_assert(1, "")

WITH_ROOT(Gather, MPI_Igather, MPI_TO_ROOT, ONE, ONE);
WITH_ROOT(Gatherv, MPI_Igatherv, MPI_TO_ROOT, ONE, EACH);
WITH_ROOT(Scatter, MPI_Iscatter, MPI_FROM_ROOT, ONE, ONE);
WITH_ROOT(Scatterv, MPI_Iscatterv, MPI_FROM_ROOT, EACH, ONE);

static int start_reduce(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ireduce(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->root, of->comm, request);
}

int MPI_Reduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Reduce_init",
                                                     .start = start_reduce,
                                                     .rooted = MPI_SAME_AT_ROOT,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

/* ---- from all to all ---- */
static int start_barrier(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ibarrier(of->comm, request);
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Barrier_init", .start = start_barrier, .comm = comm},
                            request);
}

#define AMONG_ALL(name_, started_, send_, receive_) \
  MPI_PERSISTENT_EXCHANGE(name_, started_, send_, receive_, 0, mpi_check_comm)

AMONG_ALL(Allgather, MPI_Iallgather, ONE, ONE);
AMONG_ALL(Allgatherv, MPI_Iallgatherv, ONE, EACH);
AMONG_ALL(Alltoall, MPI_Ialltoall, ONE, ONE);
AMONG_ALL(Alltoallv, MPI_Ialltoallv, EACH, EACH);

static int start_alltoallw(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ialltoallw(of->send, of->send_counts, of->send_offsets, of->send_types, of->receive, of->receive_counts,
                        of->receive_offsets, of->receive_types, of->comm, request);
}

int MPI_Alltoallw_init(const void* send, const int* send_counts, const int* send_offsets,
                       const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                       const int* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request) {
  (void)info;
  MPI_TRY(mpi_check_comm("MPI_Alltoallw_init", comm));
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Alltoallw_init",
                                                     .start = start_alltoallw,
                                                     .send = send,
                                                     .send_counts = send_counts,
                                                     .send_offsets = send_offsets,
                                                     .send_types = send_types,
                                                     .receive = receive,
                                                     .receive_counts = receive_counts,
                                                     .receive_offsets = receive_offsets,
                                                     .receive_types = receive_types,
                                                     .comm = comm,
                                                     .send_types_count = send == MPI_IN_PLACE ? 0 : comm->size,
                                                     .receive_types_count = comm->size},
                            request);
}

/* ---- reductions ---- */
#define REDUCTION(name_, started_)                                                                                \
  static int start_##name_(const struct mpi_persistent* of, MPI_Request* request) {                               \
    return started_(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->comm, request);       \
  }                                                                                                               \
  int MPI_##name_##_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, \
                         MPI_Info info, MPI_Request* request) {                                                   \
    (void)info;                                                                                                   \
    return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_" #name_ "_init",                             \
                                                       .start = start_##name_,                                    \
                                                       .send = send,                                              \
                                                       .receive = receive,                                        \
                                                       .receive_count = count,                                    \
                                                       .receive_type = type,                                      \
                                                       .op = op,                                                  \
                                                       .comm = comm},                                             \
                              request);                                                                           \
  }                                                                                                               \
  _Static_assert(1, "")

REDUCTION(Allreduce, MPI_Iallreduce);
REDUCTION(Reduce_scatter_block, MPI_Ireduce_scatter_block);
REDUCTION(Scan, MPI_Iscan);
REDUCTION(Exscan, MPI_Iexscan);

static int start_reduce_scatter(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ireduce_scatter(of->send, of->receive, of->receive_counts, of->receive_type, of->op, of->comm, request);
}

int MPI_Reduce_scatter_init(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Reduce_scatter_init",
                                                     .start = start_reduce_scatter,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_counts = counts,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .comm = comm},
                            request);
}
