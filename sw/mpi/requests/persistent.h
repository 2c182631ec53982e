/* What a persistent collective operation starts, for its request. Such operations are matched by the order of their
 * MPI_..._init, whatever the order of the starts: these calls take the numbers that a schedule may take, and each start
 * takes them again. */
#ifndef SANVP_MPI_PERSISTENT_H
#define SANVP_MPI_PERSISTENT_H

#include "sw/mpi/base/communicator.h"
#include "sw/mpi/mpi.h"

/* The ranks at which the arguments of a call are significant. */
enum mpi_rooted { MPI_UNROOTED, MPI_TO_ROOT, MPI_FROM_ROOT, MPI_SAME_AT_ROOT };

/* The arguments of any of them; what a call lacks is null. */
struct mpi_persistent {
  const char* call;
  int (*start)(const struct mpi_persistent* of, MPI_Request* request); /* the nonblocking call */
  enum mpi_rooted rooted;
  int among_neighbors;
  MPI_Comm comm;
  const void* send;
  void* receive;
  int send_count, receive_count, root;
  const int *send_counts, *send_offsets, *receive_counts, *receive_offsets;
  const MPI_Aint *send_bytes, *receive_bytes; /* offsets in bytes, among neighbours */
  MPI_Datatype send_type, receive_type;
  MPI_Op op;
  int send_types_count, receive_types_count;
  const MPI_Datatype *send_types, *receive_types; /* the request has copies */
  uint32_t number, local_number;                  /* of the operation on its communicator, at every start */
};

/* The numbers that the next operations on a communicator take. */
struct mpi_numbers {
  uint32_t of_comm, of_local;
};

static inline struct mpi_numbers mpi_numbers_of(MPI_Comm comm) {
  return (struct mpi_numbers){comm->collectives, comm->local ? comm->local->collectives : 0};
}

static inline void mpi_set_numbers(MPI_Comm comm, struct mpi_numbers numbers) {
  comm->collectives = numbers.of_comm;
  if (comm->local) comm->local->collectives = numbers.of_local;
}

int mpi_persistent_start(MPI_Request request);
void mpi_persistent_free(MPI_Request request); /* what it starts: also while that is under way */

#endif
