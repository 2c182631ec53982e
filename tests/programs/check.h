/* Shared by the programs that test themselves: failures that say where and what. */
#ifndef PROGRAMS_CHECK_H
#define PROGRAMS_CHECK_H

#include <mpi.h>
#include <stdio.h>

static int rank; /* in MPI_COMM_WORLD: each program gets it first */
#define CHECK(good) check(good, #good, __LINE__)
static void check(int good, const char* what, int line) {
  if (good) return;
  fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, line, what);
  MPI_Abort(MPI_COMM_WORLD, line);
}

#endif
