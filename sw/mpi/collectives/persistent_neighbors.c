/* MPI_Neighbor_allgather_init and the like (MPI-4, 8.8): a start is the nonblocking call with the same arguments. */
#include "sw/mpi/collectives/persistent_collective.h"
#include "sw/mpi/topologies/topology.h"

static int check_neighborhood(const char* call, MPI_Comm comm) {
  MPI_TRY(mpi_check_intra(call, comm));
  if (comm->topology) return MPI_SUCCESS;
  return mpi_fail(call, MPI_ERR_TOPOLOGY,
                  "the communicator has no topology; make one with MPI_Cart_create or MPI_Dist_graph_create");
}

/* How many types there are. */
static struct mpi_neighbors counts_of(MPI_Comm comm) {
  const struct mpi_topology* topology = comm->topology;
  if (topology->kind == MPI_DIST_GRAPH) return topology->neighbors;
  const int count = topology->kind == MPI_CART
                        ? 2 * topology->dimensions
                        : topology->index[comm->rank] - (comm->rank > 0 ? topology->index[comm->rank - 1] : 0);
  return (struct mpi_neighbors){.in = count, .out = count};
}

static int start_neighbor_allgather(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ineighbor_allgather(of->send, of->send_count, of->send_type, of->receive, of->receive_count,
                                 of->receive_type, of->comm, request);
}

int MPI_Neighbor_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request) {
  (void)info;
  MPI_TRY(check_neighborhood("MPI_Neighbor_allgather_init", comm));
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Neighbor_allgather_init",
                                                     .start = start_neighbor_allgather,
                                                     .among_neighbors = 1,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

static int start_neighbor_allgatherv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ineighbor_allgatherv(of->send, of->send_count, of->send_type, of->receive, of->receive_counts,
                                  of->receive_offsets, of->receive_type, of->comm, request);
}

int MPI_Neighbor_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                 const int* receive_counts, const int* offsets, MPI_Datatype receive_type,
                                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  (void)info;
  MPI_TRY(check_neighborhood("MPI_Neighbor_allgatherv_init", comm));
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Neighbor_allgatherv_init",
                                                     .start = start_neighbor_allgatherv,
                                                     .among_neighbors = 1,
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

static int start_neighbor_alltoall(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ineighbor_alltoall(of->send, of->send_count, of->send_type, of->receive, of->receive_count,
                                of->receive_type, of->comm, request);
}

int MPI_Neighbor_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                               MPI_Request* request) {
  (void)info;
  MPI_TRY(check_neighborhood("MPI_Neighbor_alltoall_init", comm));
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Neighbor_alltoall_init",
                                                     .start = start_neighbor_alltoall,
                                                     .among_neighbors = 1,
                                                     .send = send,
                                                     .send_count = send_count,
                                                     .send_type = send_type,
                                                     .receive = receive,
                                                     .receive_count = receive_count,
                                                     .receive_type = receive_type,
                                                     .comm = comm},
                            request);
}

static int start_neighbor_alltoallv(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ineighbor_alltoallv(of->send, of->send_counts, of->send_offsets, of->send_type, of->receive,
                                 of->receive_counts, of->receive_offsets, of->receive_type, of->comm, request);
}

int MPI_Neighbor_alltoallv_init(const void* send, const int* send_counts, const int* send_offsets,
                                MPI_Datatype send_type, void* receive, const int* receive_counts,
                                const int* receive_offsets, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request) {
  (void)info;
  MPI_TRY(check_neighborhood("MPI_Neighbor_alltoallv_init", comm));
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Neighbor_alltoallv_init",
                                                     .start = start_neighbor_alltoallv,
                                                     .among_neighbors = 1,
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

static int start_neighbor_alltoallw(const struct mpi_persistent* of, MPI_Request* request) {
  return MPI_Ineighbor_alltoallw(of->send, of->send_counts, of->send_bytes, of->send_types, of->receive,
                                 of->receive_counts, of->receive_bytes, of->receive_types, of->comm, request);
}

int MPI_Neighbor_alltoallw_init(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                                const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                const MPI_Aint* receive_offsets, const MPI_Datatype* receive_types, MPI_Comm comm,
                                MPI_Info info, MPI_Request* request) {
  (void)info;
  MPI_TRY(check_neighborhood("MPI_Neighbor_alltoallw_init", comm));
  const struct mpi_neighbors neighbors = counts_of(comm);
  return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_Neighbor_alltoallw_init",
                                                     .start = start_neighbor_alltoallw,
                                                     .among_neighbors = 1,
                                                     .send = send,
                                                     .send_counts = send_counts,
                                                     .send_bytes = send_offsets,
                                                     .send_types = send_types,
                                                     .receive = receive,
                                                     .receive_counts = receive_counts,
                                                     .receive_bytes = receive_offsets,
                                                     .receive_types = receive_types,
                                                     .comm = comm,
                                                     .send_types_count = neighbors.out,
                                                     .receive_types_count = neighbors.in},
                            request);
}
