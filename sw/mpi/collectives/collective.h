/* What the collective operations share: the choice of algorithms, and algorithms that serve several operations. */
#ifndef SANVP_MPI_COLLECTIVE_H
#define SANVP_MPI_COLLECTIVE_H

#include "sw/hal/hal.h"
#include "sw/mpi/base/communicator.h"
#include "sw/mpi/requests/schedule.h"

/* ---- choice of an algorithm: -s mpi.bcast=binomial, or by size, mpi.bcast=binomial:1K,chain ---- */
#define MPI_RULES_MOST 6
struct mpi_rules {
  int count;
  struct mpi_rule {
    size_t most; /* bytes; SIZE_MAX in the last */
    int name;    /* index of a name */
  } rule[MPI_RULES_MOST];
};
struct mpi_choice {
  const char* key;
  const char* const* names; /* null ends them; the first is "auto" */
  int chosen;               /* index of a name */
  struct mpi_rules by_size; /* of the setting, while chosen is 0; none: auto */
  /* The transport's advice, read when first needed. */
  int advised_count;
  struct mpi_advised {
    int powers_of_two, most_ranks;
    struct mpi_rules rules;
  } advised[MPI_RULES_MOST];
};
/* An operation's choice, in its file: names of algorithms, at least two; `sanvp describe` lists them. */
#define MPI_CHOICE(operation, first, second, ...)                                                             \
  static const char* const names[] = {"auto", first, second, ##__VA_ARGS__, NULL};                            \
  HAL_SETTING_TOLD("mpi." #operation, "auto",                                                                 \
                   MPI_CHOICE_MEANING(MPI_CHOICE_NAMES("auto", first, second, ##__VA_ARGS__), first, second), \
                   MPI_CHOICE_SOURCE);                                                                        \
  struct mpi_choice mpi_##operation##_choice = {.key = "mpi." #operation, .names = names}
#define MPI_CHOICE_NAMES(...) #__VA_ARGS__
#define MPI_CHOICE_MEANING(names, first, second) \
  "algorithm: " names "; by size, bytes up to which each serves: " first ":256," second
#define MPI_CHOICE_SOURCE "by name; 'auto' takes what was quickest in the study `collectives`, by card and size"
int mpi_choice_index(const struct mpi_choice* choice, const char* name, size_t length); /* -1: no such name */
/* A user's rules by size. Returns what is wrong with them, mpi_no_such_name for a name; null: nothing. */
const char* mpi_read_rules(const struct mpi_choice* choice, const char* text, struct mpi_rules* rules);
extern const char mpi_no_such_name[];
/* The algorithm that the setting names for so many bytes, of a block or vector, as all ranks know them; 0: auto. If
 * they do not, SIZE_MAX: the last rule counts. */
int mpi_chosen(const struct mpi_choice* choice, size_t bytes);
/* What auto is: the transport's advice; the first name where it has none. */
int mpi_advised(struct mpi_choice* choice, size_t bytes, int ranks);
/* The one, and if that is auto, the other. */
int mpi_choose(struct mpi_choice* choice, size_t bytes, int ranks);
extern struct mpi_choice mpi_barrier_choice, mpi_bcast_choice, mpi_gather_choice, mpi_scatter_choice,
    mpi_allgather_choice, mpi_alltoall_choice, mpi_reduce_choice, mpi_allreduce_choice, mpi_reduce_scatter_choice,
    mpi_scan_choice;
struct mpi_choice* const* mpi_choices(size_t* count); /* all */
/* Reads all settings; ends the job if a name is wrong. */
void mpi_collective_start(void);

/* ---- what the network itself does. They return 0, and have done nothing, if it cannot for this communicator ----
 */
int mpi_hardware_barrier(MPI_Comm comm);
/* From now on never: with MPI_THREAD_MULTIPLE. */
void mpi_barrier_by_messages(void);
void mpi_broadcast_by_messages(void);
int mpi_hardware_broadcast(MPI_Comm comm, void* buffer, size_t bytes, int root);

/* ---- blocks: what a rank has of, or for, each rank ---- */
struct mpi_block {
  char* at;
  size_t bytes;
};
/* `count` elements for each of the ranks, one after the other. */
struct mpi_block* mpi_even_blocks(struct mpi_schedule* schedule, MPI_Comm comm, void* at, size_t bytes);
/* `count` elements, to be sent or to be filled. */
struct mpi_block mpi_packed_block(struct mpi_schedule* schedule, const void* buffer, int count, MPI_Datatype type);
struct mpi_block mpi_block_to_unpack(struct mpi_schedule* schedule, void* buffer, int count, MPI_Datatype type);
/* To be sent: `counts` elements at `offsets`, in extents of the type. */
struct mpi_block* mpi_packed_blocks(struct mpi_schedule* schedule, MPI_Comm comm, const void* buffer, const int* counts,
                                    const int* offsets, MPI_Datatype type);
/* To be filled. */
struct mpi_block* mpi_blocks_to_unpack(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, const int* counts,
                                       const int* offsets, MPI_Datatype type);
/* Blocks of `count` elements, one after the other, as counts and offsets, [ranks]. */
int mpi_even_counts(const char* call, MPI_Comm comm, int count, int* counts, int* offsets);
/* A rank's message to itself: a copy, as a step or now. If there is too much, as much as fits is copied, and the
 * operation ends with MPI_ERR_TRUNCATE. */
void mpi_add_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place);
void mpi_copy_own(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_block own, struct mpi_block place);
/* Copies at once. */
void mpi_copy_now(void* to, const void* from, size_t bytes);
/* Counts and offsets of the v-variants. */
int mpi_check_counts(const char* call, MPI_Comm comm, const void* buffer, const int* counts, const int* offsets,
                     MPI_Datatype type);

/* A rank counted from a root, and back. */
static inline int mpi_from_root(MPI_Comm comm, int rank, int root) { return (rank - root + comm->size) % comm->size; }
static inline int mpi_to_rank(MPI_Comm comm, int from_root, int root) { return (from_root + root) % comm->size; }

/* ---- trees and rings ---- */
/* By the chosen algorithm; `buffer` has the bytes at the root. */
void mpi_add_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root);
void mpi_add_binomial_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root);
/* In pieces, from rank to rank: both links of a card carry them at once. */
void mpi_add_chain_broadcast(struct mpi_schedule* schedule, MPI_Comm comm, void* buffer, size_t bytes, int root);
/* blocks[self] goes around to all; `self` is this rank, or this rank counted from a root. */
void mpi_add_ring(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int self);

/* The same with contiguous blocks, `root`'s first; their number doubles in each round. Only for a power of two of
 * ranks. */
void mpi_add_block_doubling(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_block* blocks, int root);
static inline int mpi_is_power_of_two(int count) { return (count & (count - 1)) == 0; }

/* ---- vectors to be reduced ---- */
struct mpi_vector {
  char* own; /* this rank's elements, to become the result */
  size_t count;
  size_t stride;    /* bytes from one element to the next */
  size_t bytes;     /* of all, gaps included */
  ptrdiff_t lowest; /* offset from an element's address to its first byte */
  int commutes;     /* the operation is commutative */
  int cuts;         /* no gaps: parts of it may be sent and combined separately */
  int borrowed;     /* `own` is the caller's and must not be written */
};
/* This rank's elements, in the buffer for the result if they have no gaps; their values after all steps go into that
 * buffer. `result` null: this rank does not need the result. */
struct mpi_vector mpi_vector_of(struct mpi_schedule* schedule, const void* send, void* result, size_t count,
                                MPI_Datatype type, MPI_Op op);
/* A vector of the same shape that the steps fill, for a result. */
struct mpi_vector mpi_vector_to_fill(struct mpi_schedule* schedule, void* result, size_t count, MPI_Datatype type);
/* Scratch space for another one; for mpi_add_combine and messages. */
char* mpi_vector_room(struct mpi_schedule* schedule, const struct mpi_vector* vector);
/* From now on its elements may be written. */
void mpi_vector_own(struct mpi_schedule* schedule, struct mpi_vector* vector);
/* Bytes of `count` consecutive elements. */
size_t mpi_vector_bytes(const struct mpi_vector* vector, size_t count);
/* Copies `count` of its elements, from byte `begin` on, into a buffer of the program. */
void mpi_vector_part_to(struct mpi_schedule* schedule, const struct mpi_vector* vector, size_t begin, void* buffer,
                        size_t count, MPI_Datatype type);
/* The root's elements become the combination of all in the order of ranks. The elements of other ranks are then
 * undefined, but borrowed ones are not changed. */
void mpi_add_reduction(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root);
void mpi_add_recursive_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector);

/* For commutative operations on vectors without gaps. A chain: pieces go from the last rank, counted from the root, to
 * the root, each rank adds its own. */
void mpi_add_chain_reduction(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, int root);
/* A ring: slices of `counts` elements at byte `at` go around, each rank adds its own; each ends complete at its rank.
 * The elements are this rank's to write (mpi_vector_own). */
void mpi_add_ring_of_slices(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector,
                            const int* counts, const size_t* at);
/* The same, and then all slices go around to all. */
void mpi_add_ring_of_sums(struct mpi_schedule* schedule, MPI_Comm comm, const struct mpi_vector* vector);

/* ---- halving and doubling, for commutative operations on vectors without gaps: each member of a team gets a slice of
 * the result; then all get all slices ---- */
struct mpi_team {
  int size;  /* a power of two */
  int extra; /* ranks that are not in it */
  int self;  /* -1: not in it */
};
int mpi_team_rank(const struct mpi_team* team, int member);
/* Offset of a member's slice, in bytes. */
size_t mpi_team_cut(const struct mpi_team* team, const struct mpi_vector* vector, int member);
void mpi_add_halving(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector, struct mpi_team* team);
void mpi_add_doubling(struct mpi_schedule* schedule, MPI_Comm comm, struct mpi_vector* vector,
                      const struct mpi_team* team);

/* Checks the arguments of reductions. */
int mpi_check_reduction(const char* call, const void* send, const void* receive, int count, MPI_Datatype type,
                        MPI_Op op);

#endif
