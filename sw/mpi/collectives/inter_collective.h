/* Collective operations between the two groups of an intercommunicator (MPI-2, 7.3): one group's data go to the other.
 * The MPI calls of the same names use these, also the nonblocking ones: each function opens a schedule. */
#ifndef SANVP_MPI_INTER_COLLECTIVE_H
#define SANVP_MPI_INTER_COLLECTIVE_H

#include "sw/mpi/collectives/collective.h"

/* Whether it is an intercommunicator; an invalid communicator is none. */
static inline int mpi_is_inter(MPI_Comm comm) { return comm && comm->object.references > 0 && comm->local; }

/* Ranks 0 of both groups exchange their values, and pass them to their groups. */
int mpi_inter_exchange(const char* call, MPI_Comm comm, const void* own, size_t own_bytes, void* other,
                       size_t other_bytes);
/* The same as steps, but only between the leaders: their groups do not get it. Later steps are among the local ranks.
 */
void mpi_inter_add_exchange(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block other);
void mpi_inter_add_leaders(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block other);
/* Blocks to and from each of the other group; null: none. */
void mpi_inter_add_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                          const struct mpi_block* in);

/* Arguments as in the MPI_... calls. `root` is MPI_ROOT at the root, MPI_PROC_NULL in the rest of its group. */
int mpi_inter_broadcast(const char* call, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                        struct mpi_schedule** opened);
int mpi_inter_gather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     const int* receive_counts, const int* offsets, MPI_Datatype receive_type, int root, MPI_Comm comm,
                     struct mpi_schedule** opened);
int mpi_inter_scatter(const char* call, const void* send, const int* send_counts, const int* offsets,
                      MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type, int root,
                      MPI_Comm comm, struct mpi_schedule** opened);
int mpi_inter_allgather(const char* call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* offsets, MPI_Datatype receive_type, MPI_Comm comm,
                        struct mpi_schedule** opened);
int mpi_inter_reduce(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                     int root, MPI_Comm comm, struct mpi_schedule** opened);
int mpi_inter_allreduce(const char* call, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, struct mpi_schedule** opened);

#endif
