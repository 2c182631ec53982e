/* What the files of mistakes share: the ranks, and what a case is.
 *
 * A case is a function, by whose name a finding tells which one it is; with `wrong` 0 it is its right twin. */
#ifndef SANVP_TESTS_MISTAKES_H
#define SANVP_TESTS_MISTAKES_H

#include <mpi.h>
#include <stddef.h>

#define CASE __attribute__((noinline)) static void
#define W MPI_COMM_WORLD
#define NO MPI_STATUS_IGNORE

struct mistake {
  const char* name;
  void (*make)(int wrong);
  int ends; /* the program cannot go on */
};
#define GOES_ON(name) \
  { #name, name, 0 }
#define ENDS(name) \
  { #name, name, 1 }

/* Of each file, its cases; the last has no name. */
extern const struct mistake types_of_messages[], buffers[], calls_with_errors[], leaks[], collectives[],
    hidden_by_buffering[], windows[], endings[];

extern int rank, ranks, left, right, other; /* other: the partner of a pair */
static const int big = 1 << 20;             /* no machine buffers so much */
extern MPI_Win window;                      /* of all ranks, over `memory` */
extern int memory[64];

static inline int even(void) { return rank % 2 == 0; }
static inline int in_pair(void) { return other < ranks; }

/* Without messages of MPI's own to wait for: both have come to this place. */
static inline void meet(void) { MPI_Barrier(W); }

#endif
