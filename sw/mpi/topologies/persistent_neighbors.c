/* MPI_Neighbor_allgather_init and the like (MPI-4, 8.8): a start is the nonblocking call with the same arguments. */
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/base/process_topology.h"
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

#define AMONG_NEIGHBORS(name_, started_, send_, receive_) \
  MPI_PERSISTENT_EXCHANGE(name_, started_, send_, receive_, 1, check_neighborhood)

AMONG_NEIGHBORS(Neighbor_allgather, MPI_Ineighbor_allgather, ONE, ONE);
AMONG_NEIGHBORS(Neighbor_allgatherv, MPI_Ineighbor_allgatherv, ONE, EACH);
AMONG_NEIGHBORS(Neighbor_alltoall, MPI_Ineighbor_alltoall, ONE, ONE);
AMONG_NEIGHBORS(Neighbor_alltoallv, MPI_Ineighbor_alltoallv, EACH, EACH);

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
