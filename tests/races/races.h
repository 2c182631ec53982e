/* What the files of races share: the ranks, the window, and what a case is.
 *
 * A case is a function, by whose name a finding tells which one it is; with `wrong` 0 it is its right twin. Rank 0
 * makes the first access, to memory of rank 1; the second is made by rank 1 itself, or by rank 2. */
#ifndef SANVP_TESTS_RACES_H
#define SANVP_TESTS_RACES_H

#include <mpi.h>
#include <stddef.h>

#define CASE __attribute__((noinline)) static void
#define W MPI_COMM_WORLD
#define NO MPI_STATUS_IGNORE

struct race {
  const char* name;
  void (*make)(int wrong);
};

/* Of each file, its cases; the last has no name. */
extern const struct race remote_races[], local_races[], orders[];

extern int rank;
extern MPI_Win window;
extern int* memory; /* the window's */
extern int own[16]; /* of origins */
extern volatile int sink;

static inline void meet(void) { MPI_Barrier(W); }

/* ---- accesses to the first element of rank 1's memory ---- */
#define PUT MPI_Put(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window)
#define GET MPI_Get(own, 1, MPI_INT, 1, 0, 1, MPI_INT, window)
#define ADD MPI_Accumulate(own, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window)
#define MAXIMUM MPI_Accumulate(own, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_MAX, window)
#define FETCH MPI_Fetch_and_op(own, own + 8, MPI_INT, 1, 0, MPI_SUM, window)
/* Those of the owner. */
#define LOAD sink = ((volatile int*)memory)[0]
#define STORE ((volatile int*)memory)[0] = 77

#endif
