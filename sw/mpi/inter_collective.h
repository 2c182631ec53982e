/* Collective operations between the two groups of an intercommunicator (MPI-2, 7.3): what one group has goes to the
 * other. The calls of the same names come here, the nonblocking ones too: each function opens a schedule. */
#ifndef SANVP_MPI_INTER_COLLECTIVE_H
#define SANVP_MPI_INTER_COLLECTIVE_H

#include "sw/mpi/collective.h"

/* Whether it is one; a communicator that cannot be used is not. */
static inline int mpi_is_inter(MPI_Comm comm) { return comm && comm->object.references > 0 && comm->local; }

/* Ranks 0 of both groups exchange what they have, and pass it to their groups. */
int mpi_inter_exchange(const char* call, MPI_Comm comm, const void* own, size_t own_bytes, void* other,
                       size_t other_bytes);
/* The same as steps; of the leaders alone, whose groups still do not know it. Steps from then on are among the local
 * ranks. */
void mpi_inter_add_exchange(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block other);
void mpi_inter_add_leaders(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block other);
/* Blocks to and from each of the other group; null: none. */
void mpi_inter_add_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* out,
                          const struct mpi_block* in);

/* Arguments as those of the MPI_... calls. A root is MPI_ROOT in its group, MPI_PROC_NULL for all others of it. */
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
