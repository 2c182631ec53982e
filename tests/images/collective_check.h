/* Shared by the test programs of collective operations: failures, communicators to test, data that identify their
 * owner. */
#ifndef SANVP_COLLECTIVE_CHECK_H
#define SANVP_COLLECTIVE_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"

static int world_rank, world_ranks;
static const char* on = "?"; /* the communicator being tried */

#define EXPECT(good) expect(good, #good, __func__, __LINE__)
static void expect(int good, const char* what, const char* where, int line) {
  if (good) return;
  char text[384];
  snprintf(text, sizeof text, "rank %d of %d on %s, %s, line %d: not so: %s", world_rank, world_ranks, on, where, line,
           what);
  hal_abort(text);
}

/* Element `i` of the data of one rank for another. */
static int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i * 7 + 1; }

#define MANY_RANKS 16 /* with more ranks, a check uses fewer communicators and less data, to save time */

/* Calls `check` on the communicators of the program: parts of the world in reverse order, the world, a copy of it,
 * itself. */
static void on_each_communicator(void (*check)(MPI_Comm comm, int rank, int ranks)) {
  MPI_Comm comms[4] = {[1] = MPI_COMM_WORLD};
  static const char* const names[] = {"every third rank, backwards", "the world", "a copy of the world", "itself"};
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 3, -world_rank, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank, 0, &comms[3]);
  for (int i = 0; i < (world_ranks > MANY_RANKS ? 2 : 4); ++i) {
    int rank, ranks;
    MPI_Comm_rank(comms[i], &rank);
    MPI_Comm_size(comms[i], &ranks);
    on = names[i];
    check(comms[i], rank, ranks);
  }
  for (int i = 0; i < 4; ++i)
    if (comms[i] != MPI_COMM_WORLD) MPI_Comm_free(&comms[i]);
  on = "the world";
}

#endif
