/* What the collective operations share: the choice among algorithms, and those that serve several operations. */
#ifndef SANVP_MPI_COLLECTIVE_H
#define SANVP_MPI_COLLECTIVE_H

#include "sw/mpi/schedule.h"

/* ---- choice of an algorithm: -s mpi.bcast=binomial ---- */
struct mpi_choice {
  const char* key;
  const char* const* names; /* null ends them; the first is "auto" */
  int chosen;               /* index of a name */
};
extern struct mpi_choice mpi_barrier_choice, mpi_bcast_choice, mpi_gather_choice, mpi_scatter_choice,
    mpi_allgather_choice, mpi_alltoall_choice, mpi_reduce_choice, mpi_allreduce_choice, mpi_reduce_scatter_choice,
    mpi_scan_choice;
/* Reads all of them; ends the job where a name is wrong. */
void mpi_collective_start(void);

/* ---- what the network itself does. They answer 0, and have done nothing, where it cannot for this communicator ----
 */
int mpi_hardware_barrier(MPI_Comm comm);
int mpi_hardware_broadcast(MPI_Comm comm, void* buffer, size_t bytes, int root);

/* ---- blocks: what a rank has of, or for, each rank ---- */
struct mpi_block {
  char* at;
  size_t bytes;
};
/* `count` elements for each of the ranks, one behind the other. */
struct mpi_block* mpi_even_blocks(struct mpi_schedule* schedule, MPI_Comm comm, void* at, size_t bytes);
/* To be sent, or to be filled: `count` elements. */
struct mpi_block mpi_packed_block(struct mpi_schedule* schedule, const void* buffer, int count, MPI_Datatype type);
struct mpi_block mpi_block_to_unpack(struct mpi_schedule* schedule, void* buffer, int count, MPI_Datatype type);
/* To be sent: `counts` elements at `offsets`, in extents of the type. */
struct mpi_block* mpi_packed_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const void* buffer, const int* counts,
                                    const int* offsets, MPI_Datatype type);
/* To be filled. */
struct mpi_block* mpi_blocks_to_unpack(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, const int* counts,
                                       const int* offsets, MPI_Datatype type);
/* Blocks of `count` elements, one behind the other, as counts and offsets, [ranks]. */
int mpi_even_counts(const char* call, MPI_Comm comm, int count, int* counts, int* offsets);
/* What a rank sends to itself: a copy in its turn, or now. Where there is too much, as much as fits; the operation then
 * ends with MPI_ERR_TRUNCATE. */
void mpi_add_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place);
void mpi_copy_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place);
/* A copy made now. */
void mpi_copy_now(void* to, const void* from, size_t bytes);
/* Counts and offsets of the v-variants. */
int mpi_check_counts(const char* call, MPI_Comm comm, const void* buffer, const int* counts, const int* offsets,
                     MPI_Datatype type);

/* A rank counted from a root, and back. */
static inline int mpi_from_root(MPI_Comm comm, int rank, int root) { return (rank - root + comm->size) % comm->size; }
static inline int mpi_to_rank(MPI_Comm comm, int from_root, int root) { return (from_root + root) % comm->size; }

/* ---- trees and rings ---- */
/* The algorithm is chosen; `buffer` has the bytes at the root. */
void mpi_add_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root);
void mpi_add_binomial_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root);
/* blocks[self] goes around to all; `self` is this rank, or what it is counted from a root. */
void mpi_add_ring(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int self);

/* The same with blocks one behind the other in memory, `root`'s first, that double in each round. For powers of two of
 * ranks. */
void mpi_add_block_doubling(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int root);
static inline int mpi_is_power_of_two(int count) { return (count & (count - 1)) == 0; }

/* ---- vectors to be reduced ---- */
struct mpi_vector {
  char* own; /* this rank's elements, to become the result */
  size_t count;
  size_t stride;    /* bytes from one element to the next */
  size_t bytes;     /* of all, gaps included */
  ptrdiff_t lowest; /* where the first byte of an element is, from where the element is said to be */
  int commutes;     /* the operation does */
  int cuts;         /* no gaps: parts of it may travel and be combined by themselves */
  int borrowed;     /* `own` is the caller's and must not be written */
};
/* This rank's elements, in the buffer for the result where there are no gaps; what stands there when all steps are made
 * goes into that buffer. `result` null: the result is not wanted here. */
struct mpi_vector mpi_vector_of(struct mpi_schedule* schedule, const void* send, void* result, size_t count,
                                MPI_Datatype type, MPI_Op op);
/* One of the same shape that is filled in, for a result. */
struct mpi_vector mpi_vector_to_fill(struct mpi_schedule* schedule, void* result, size_t count, MPI_Datatype type);
/* Room for another one; for mpi_add_combine and messages. */
char* mpi_vector_room(struct mpi_schedule* schedule, const struct mpi_vector* vector);
/* From now on its elements may be written. */
void mpi_vector_own(struct mpi_schedule* schedule, struct mpi_vector* vector);
/* Of `count` of its elements, one behind the other. */
size_t mpi_vector_bytes(const struct mpi_vector* vector, size_t count);
/* `count` of its elements, from byte `begin` on, into a buffer of the program. */
void mpi_vector_part_to(struct mpi_schedule* schedule, const struct mpi_vector* vector, size_t begin, void* buffer,
                        size_t count, MPI_Datatype type);
/* The root's elements become the combination of all in the order of ranks. The others' are undefined then, borrowed
 * ones stay as they are. */
void mpi_add_reduction(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root);
void mpi_add_recursive_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector);

/* ---- halving and doubling: of commuting operations on vectors without gaps. Each member of a team gets a slice of the
 * result; then all get all of it ---- */
struct mpi_team {
  int size;  /* a power of two */
  int extra; /* ranks that are not in it */
  int self;  /* -1: not in it */
};
int mpi_team_rank(const struct mpi_team* team, int member);
/* Where a member's slice begins, in bytes. */
size_t mpi_team_cut(const struct mpi_team* team, const struct mpi_vector* vector, int member);
void mpi_add_halving(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, struct mpi_team* team);
void mpi_add_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector,
                      const struct mpi_team* team);

/* Arguments of reductions. */
int mpi_check_reduction(const char* call, const void* send, const void* receive, int count, MPI_Datatype type,
                        MPI_Op op);

#endif
