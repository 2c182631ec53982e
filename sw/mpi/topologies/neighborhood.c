/* Collective operations among neighbours of a topology (MPI-3, 7.6): plain messages, all at once. */
#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/process_topology.h"
#include "sw/mpi/collectives/collective.h"
#include "sw/mpi/topologies/topology.h"

/* A rank's data for its neighbours, or from them: a block for each. */
struct blocks {
  const void* buffer;
  int count;         /* of each, if there are no counts */
  const int* counts; /* [neighbours] */
  int apart;         /* without offsets: blocks follow each other; 0: all are the same block */
  const int* offsets;
  const MPI_Aint* bytes; /* offsets in bytes */
  MPI_Datatype type;
  const MPI_Datatype* types; /* [neighbours] */
  int lacks;                 /* an array is missing: legal without neighbours */
};

static int count_of(const struct blocks* blocks, int i) { return blocks->counts ? blocks->counts[i] : blocks->count; }

static MPI_Datatype type_of(const struct blocks* blocks, int i) {
  return blocks->types ? blocks->types[i] : blocks->type;
}

static char* place_of(const struct blocks* blocks, int i) {
  if (blocks->bytes) return (char*)blocks->buffer + blocks->bytes[i];
  const ptrdiff_t index = blocks->offsets ? blocks->offsets[i] : (ptrdiff_t)(blocks->apart ? i : 0) * blocks->count;
  return mpi_element(blocks->buffer, index, blocks->type);
}

static int check(const char* call, const struct blocks* blocks, int neighbors) {
  if (blocks->lacks && neighbors > 0)
    return mpi_fail(call, MPI_ERR_ARG, "counts, offsets or types are a null pointer; pass one for each neighbour");
  for (int i = 0; i < neighbors; ++i)
    MPI_TRY(mpi_check_data(call, blocks->buffer, count_of(blocks, i), type_of(blocks, i)));
  return MPI_SUCCESS;
}

static size_t bytes_of(const struct blocks* blocks, int i) {
  return (size_t)count_of(blocks, i) * type_of(blocks, i)->bytes;
}

/* ---- the neighbours: of a grid the lower and the upper one of each dimension ---- */
static int grid_neighbors(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_neighbors* found) {
  const int dimensions = comm->topology->dimensions;
  int* ranks = mpi_schedule_room(schedule, (size_t)(2 * dimensions) * sizeof *ranks);
  for (int d = 0; d < dimensions; ++d) MPI_TRY(MPI_Cart_shift(comm, d, 1, &ranks[2 * d], &ranks[2 * d + 1]));
  *found = (struct mpi_neighbors){.in = 2 * dimensions, .out = 2 * dimensions, .from = ranks, .to = ranks};
  return MPI_SUCCESS;
}

static int neighbors_of(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_neighbors* found) {
  const struct mpi_topology* topology = comm->topology;
  if (topology->kind == MPI_CART) return grid_neighbors(schedule, comm, found);
  if (topology->kind == MPI_DIST_GRAPH) {
    *found = topology->neighbors;
    return MPI_SUCCESS;
  }
  const int first = comm->rank > 0 ? topology->index[comm->rank - 1] : 0;
  int* const ranks = topology->edges + first;
  const int count = topology->index[comm->rank] - first;
  *found = (struct mpi_neighbors){.in = count, .out = count, .from = ranks, .to = ranks};
  return MPI_SUCCESS;
}

/* Two ranks may be neighbours more than once; their messages keep the order of these steps. In a grid, a message to the
 * lower neighbour arrives there as one from the upper neighbour. */
static int arriving(MPI_Comm comm, int i) { return comm->topology->kind == MPI_CART ? i ^ 1 : i; }

static int build(const char* call, struct mpi_schedule* schedule, MPI_Comm comm, const struct blocks* out,
                 const struct blocks* in) {
  struct mpi_neighbors neighbors;
  MPI_TRY(neighbors_of(schedule, comm, &neighbors));
  MPI_TRY(check(call, out, neighbors.out));
  MPI_TRY(check(call, in, neighbors.in));
  for (int n = 0; n < neighbors.in; ++n) {
    const int i = arriving(comm, n);
    if (neighbors.from[i] == MPI_PROC_NULL) continue;
    void* to = mpi_to_unpack(schedule, place_of(in, i), (size_t)count_of(in, i), type_of(in, i));
    mpi_add_receive(schedule, neighbors.from[i], to, bytes_of(in, i));
  }
  for (int i = 0; i < neighbors.out; ++i) {
    if (neighbors.to[i] == MPI_PROC_NULL) continue;
    const void* from = mpi_packed(schedule, place_of(out, i), (size_t)count_of(out, i), type_of(out, i));
    mpi_add_send(schedule, neighbors.to[i], from, bytes_of(out, i));
  }
  return MPI_SUCCESS;
}

/* Waits for its end if the caller gives no request. */
static int exchange(const char* call, MPI_Comm comm, struct blocks out, struct blocks in, MPI_Request* request) {
  MPI_TRY(mpi_check_intra(call, comm));
  if (!comm->topology)
    return mpi_fail(call, MPI_ERR_TOPOLOGY,
                    "the communicator has no topology; make one with MPI_Cart_create or MPI_Dist_graph_create");
  struct mpi_schedule* schedule = mpi_schedule_open(call, comm);
  const int error = build(call, schedule, comm, &out, &in);
  if (error != MPI_SUCCESS) {
    mpi_schedule_free(schedule);
    return error;
  }
  return request ? mpi_schedule_start(schedule, request) : mpi_schedule_make(schedule);
}

static int exchange_later(const char* call, MPI_Comm comm, struct blocks out, struct blocks in, MPI_Request* request) {
  MPI_TRY(mpi_check_comm(call, comm));
  MPI_TRY(mpi_check_result(call, request));
  return exchange(call, comm, out, in, request);
}

static struct blocks even(const void* buffer, int count, MPI_Datatype type) {
  return (struct blocks){.buffer = buffer, .count = count, .apart = 1, .type = type};
}

static struct blocks one_for_all(const void* buffer, int count, MPI_Datatype type) {
  return (struct blocks){.buffer = buffer, .count = count, .type = type};
}

static struct blocks uneven(const void* buffer, const int* counts, const int* offsets, MPI_Datatype type) {
  return (struct blocks){
      .buffer = buffer, .counts = counts, .offsets = offsets, .type = type, .lacks = !counts || !offsets};
}

static struct blocks of_types(const void* buffer, const int* counts, const MPI_Aint* offsets,
                              const MPI_Datatype* types) {
  return (struct blocks){
      .buffer = buffer, .counts = counts, .bytes = offsets, .types = types, .lacks = !counts || !offsets || !types};
}

/* ---- MPI_Neighbor_allgather, MPI_Ineighbor_allgather ---- */
int MPI_Neighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm) {
  return exchange("MPI_Neighbor_allgather", comm, one_for_all(send, send_count, send_type),
                  even(receive, receive_count, receive_type), NULL);
}

int MPI_Ineighbor_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return exchange_later("MPI_Ineighbor_allgather", comm, one_for_all(send, send_count, send_type),
                        even(receive, receive_count, receive_type), request);
}

/* ---- MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv ---- */
int MPI_Neighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm) {
  return exchange("MPI_Neighbor_allgatherv", comm, one_for_all(send, send_count, send_type),
                  uneven(receive, receive_counts, offsets, receive_type), NULL);
}

int MPI_Ineighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                             MPI_Request* request) {
  return exchange_later("MPI_Ineighbor_allgatherv", comm, one_for_all(send, send_count, send_type),
                        uneven(receive, receive_counts, offsets, receive_type), request);
}

/* ---- MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall ---- */
int MPI_Neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                          MPI_Datatype receive_type, MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoall", comm, even(send, send_count, send_type),
                  even(receive, receive_count, receive_type), NULL);
}

int MPI_Ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return exchange_later("MPI_Ineighbor_alltoall", comm, even(send, send_count, send_type),
                        even(receive, receive_count, receive_type), request);
}

/* ---- MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv ---- */
int MPI_Neighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                           void* receive, const int* receive_counts, const int* receive_offsets,
                           MPI_Datatype receive_type, MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoallv", comm, uneven(send, send_counts, send_offsets, send_type),
                  uneven(receive, receive_counts, receive_offsets, receive_type), NULL);
}

int MPI_Ineighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets, MPI_Datatype send_type,
                            void* receive, const int* receive_counts, const int* receive_offsets,
                            MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  return exchange_later("MPI_Ineighbor_alltoallv", comm, uneven(send, send_counts, send_offsets, send_type),
                        uneven(receive, receive_counts, receive_offsets, receive_type), request);
}

/* ---- MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw: offsets in bytes ---- */
int MPI_Neighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                           const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                           const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoallw", comm, of_types(send, send_counts, send_offsets, send_types),
                  of_types(receive, receive_counts, receive_offsets, receive_types), NULL);
}

int MPI_Ineighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                            const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                            const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm,
                            MPI_Request* request) {
  return exchange_later("MPI_Ineighbor_alltoallw", comm, of_types(send, send_counts, send_offsets, send_types),
                        of_types(receive, receive_counts, receive_offsets, receive_types), request);
}
