/* Collective operations that a program prepares once and starts again and again (MPI-4, 6.13): MPI_Bcast_init and the
 * like. Each start is the nonblocking call, whose schedule the request takes. */
#ifndef SANVP_MPI_PERSISTENT_COLLECTIVE_H
#define SANVP_MPI_PERSISTENT_COLLECTIVE_H

#include "sw/mpi/mpi.h"
#include "sw/mpi/requests/persistent.h"
#include "sw/mpi/requests/schedule.h"

/* Checks the arguments, and makes a request that holds their handles. Arrays stay the program's. */
int mpi_persistent_new(const struct mpi_persistent* arguments, MPI_Request* request);

/* ---- calls of a form that several have ----
 * A side, `send` or `receive`: ONE number of elements for all ranks, or as many for EACH. It stands in a call's
 * parameters, in the fields of struct mpi_persistent, and in the arguments of the nonblocking call. */
#define ONE_PARAMETERS(const_, side_) const_ void *side_, int side_##_count, MPI_Datatype side_##_type
#define ONE_FIELDS(side_) .side_ = side_, .side_##_count = side_##_count, .side_##_type = side_##_type
#define ONE_ARGUMENTS(side_) of->side_, of->side_##_count, of->side_##_type
#define EACH_PARAMETERS(const_, side_) \
  const_ void *side_, const int *side_##_counts, const int *side_##_offsets, MPI_Datatype side_##_type
#define EACH_FIELDS(side_) \
  .side_ = side_, .side_##_counts = side_##_counts, .side_##_offsets = side_##_offsets, .side_##_type = side_##_type
#define EACH_ARGUMENTS(side_) of->side_, of->side_##_counts, of->side_##_offsets, of->side_##_type

/* MPI_..._init of a call without a root. `check_`: before all others. */
#define MPI_PERSISTENT_EXCHANGE(name_, started_, send_, receive_, among_neighbors_, check_)                \
  static int start_##name_(const struct mpi_persistent* of, MPI_Request* request) {                        \
    return started_(send_##_ARGUMENTS(send), receive_##_ARGUMENTS(receive), of->comm, request);            \
  }                                                                                                        \
  int MPI_##name_##_init(send_##_PARAMETERS(const, send), receive_##_PARAMETERS(, receive), MPI_Comm comm, \
                         MPI_Info info, MPI_Request* request) {                                            \
    (void)info;                                                                                            \
    MPI_TRY(check_("MPI_" #name_ "_init", comm));                                                          \
    return mpi_persistent_new(&(struct mpi_persistent){.call = "MPI_" #name_ "_init",                      \
                                                       .start = start_##name_,                             \
                                                       .among_neighbors = among_neighbors_,                \
                                                       send_##_FIELDS(send),                               \
                                                       receive_##_FIELDS(receive),                         \
                                                       .comm = comm},                                      \
                              request);                                                                    \
  }                                                                                                        \
  _Static_assert(1, "")

#endif
