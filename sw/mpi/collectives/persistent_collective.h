/* Collective operations that a program prepares once and starts again and again (MPI-4, 6.13): MPI_Bcast_init and the
 * like. Each start is the nonblocking call, whose schedule the request takes. */
#ifndef SANVP_MPI_PERSISTENT_COLLECTIVE_H
#define SANVP_MPI_PERSISTENT_COLLECTIVE_H

#include "sw/mpi/collectives/schedule.h"

/* Where the arguments of a call are significant. */
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

/* Checks the arguments, and makes a request that holds their handles. Arrays stay the program's. */
int mpi_persistent_new(const struct mpi_persistent* arguments, MPI_Request* request);
int mpi_persistent_start(MPI_Request request);
void mpi_persistent_free(MPI_Request request); /* what it starts: also while that is under way */

#endif
