/* MPI_Barrier_init and the like (MPI-4, 6.13): a start is the nonblocking call with the same arguments. */
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

static int start_gather(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Igather(of->send, of->send_count, of->send_type, of->receive, of->receive_count, of->receive_type,
                     of->root, of->comm, request);
}

int MPI_Gather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Gather_init",
                                                     .start = start_gather,
                                                     .rooted = MPI_TO_ROOT,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

static int start_gatherv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Igatherv(of->send, of->send_count, of->send_type, of->receive, of->receive_counts, of->receive_offsets,
                      of->receive_type, of->root, of->comm, request);
}

int MPI_Gatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* receive_counts,
                     const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Gatherv_init",
                                                     .start = start_gatherv,
                                                     .rooted = MPI_TO_ROOT,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_counts = receive_counts,
                                                     .receive_offsets = offsets,
                                                     .receive_type = receive_type,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

static int start_scatter(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iscatter(of->send, of->send_count, of->send_type, of->receive, of->receive_count, of->receive_type,
                      of->root, of->comm, request);
}

int MPI_Scatter_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Scatter_init",
                                                     .start = start_scatter,
                                                     .rooted = MPI_FROM_ROOT,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

static int start_scatterv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iscatterv(of->send, of->send_counts, of->send_offsets, of->send_type, of->receive, of->receive_count,
                       of->receive_type, of->root, of->comm, request);
}

int MPI_Scatterv_init(const void* send, const int* send_counts, const int* offsets, MPI_Datatype send_type,
                      void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Scatterv_init",
                                                     .start = start_scatterv,
                                                     .rooted = MPI_FROM_ROOT,
                                                     .send = send,
                                                     .send_counts = send_counts,
                                                     .send_offsets = offsets,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .root = root,
                                                     .comm = comm},
                            request);
}

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

static int start_allgather(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iallgather(of->send, of->send_count, of->send_type, of->receive, of->receive_count, of->receive_type,
                        of->comm, request);
}

int MPI_Allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                       MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Allgather_init",
                                                     .start = start_allgather,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

static int start_allgatherv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iallgatherv(of->send, of->send_count, of->send_type, of->receive, of->receive_counts, of->receive_offsets,
                         of->receive_type, of->comm, request);
}

int MPI_Allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                        MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Allgatherv_init",
                                                     .start = start_allgatherv,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_counts = receive_counts,
                                                     .receive_offsets = offsets,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

static int start_alltoall(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ialltoall(of->send, of->send_count, of->send_type, of->receive, of->receive_count, of->receive_type,
                       of->comm, request);
}

int MPI_Alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Alltoall_init",
                                                     .start = start_alltoall,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

static int start_alltoallv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ialltoallv(of->send, of->send_counts, of->send_offsets, of->send_type, of->receive, of->receive_counts,
                        of->receive_offsets, of->receive_type, of->comm, request);
}

int MPI_Alltoallv_init(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                       void* receive, const int* receive_counts, const int* receive_offsets, MPI_Datatype receive_type,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Alltoallv_init",
                                                     .start = start_alltoallv,
                                                     .send = send,
                                                     .send_counts = send_counts,
                                                     .send_offsets = send_offsets,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_counts = receive_counts,
                                                     .receive_offsets = receive_offsets,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

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
static int start_allreduce(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iallreduce(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->comm, request);
}

int MPI_Allreduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Allreduce_init",
                                                     .start = start_allreduce,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .comm = comm},
                            request);
}

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

static int start_reduce_scatter_block(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ireduce_scatter_block(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->comm,
                                   request);
}

int MPI_Reduce_scatter_block_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Reduce_scatter_block_init",
                                                     .start = start_reduce_scatter_block,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .comm = comm},
                            request);
}

static int start_scan(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iscan(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->comm, request);
}

int MPI_Scan_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Scan_init",
                                                     .start = start_scan,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .comm = comm},
                            request);
}

static int start_exscan(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Iexscan(of->send, of->receive, of->receive_count, of->receive_type, of->op, of->comm, request);
}

int MPI_Exscan_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  (void)info;
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Exscan_init",
                                                     .start = start_exscan,
                                                     .send = send,
                                                     .receive = receive,
                                                     .receive_count = count,
                                                     .receive_type = type,
                                                     .op = op,
                                                     .comm = comm},
                            request);
}
