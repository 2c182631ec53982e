/* Windows of all flavors whose ranks may share a node: every rank accesses the memory of every other one, by all calls.
 * Allocated ones of many sizes, none included, freed and made again; parts of shared ones, which follow each other at
 * any byte; heap that is attached. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { SWAPS = 3 };
static int size;

/* ---- what all flavors do: each rank has 2 * size + 2 numbers, of which rank r writes [r] and [size + r] ---- */
static long value(int from, int to, int round) { return 1000000L * round + 1000L * from + to; }

static void store(MPI_Win window, const MPI_Aint* bases, MPI_Aint unit, int round) {
  long* values = malloc(2 * (size_t)size * sizeof *values);
  MPI_Request* requests = malloc((size_t)size * sizeof(MPI_Request));
  for (int to = 0; to < size; ++to) {
    values[to] = value(rank, to, round);
    values[size + to] = -values[to];
    MPI_Put(&values[to], 1, MPI_LONG, to, bases[to] + unit * rank, 1, MPI_LONG, window);
    MPI_Rput(&values[size + to], 1, MPI_LONG, to, bases[to] + unit * (size + rank), 1, MPI_LONG, window, &requests[to]);
  }
  MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
  MPI_Win_flush_all(window);
  free(requests);
  free(values);
}

static void load(MPI_Win window, const MPI_Aint* bases, MPI_Aint unit, int round) {
  for (int from = 0; from < size; ++from) {
    long one = 0, *all = calloc(2 * (size_t)size, sizeof *all);
    MPI_Request request;
    MPI_Get(&one, 1, MPI_LONG, from, bases[from] + unit * (size - 1), 1, MPI_LONG, window);
    MPI_Rget(all, 2 * size, MPI_LONG, from, bases[from], 2 * size, MPI_LONG, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(from, window);
    CHECK(one == value(size - 1, from, round));
    for (int r = 0; r < size; ++r) CHECK(all[r] == value(r, from, round) && all[size + r] == -all[r]);
    free(all);
  }
}

/* One more, by compare-and-swap. */
static void count(MPI_Win window, int to, MPI_Aint counter) {
  for (long expected = -1, found = 0;; expected = found) {
    const long next = expected + 1;
    MPI_Compare_and_swap(&next, &expected, &found, MPI_LONG, to, counter, window);
    MPI_Win_flush(to, window);
    if (found == expected) return;
  }
}

/* The last two numbers: a sum and a counter that all ranks share at each rank. */
static void add(MPI_Win window, const MPI_Aint* bases, MPI_Aint unit) {
  const long one = 1;
  for (int to = 0; to < size; ++to) {
    const MPI_Aint sum = bases[to] + unit * 2 * size, counter = sum + unit;
    long seen = 0;
    MPI_Accumulate(&one, 1, MPI_LONG, to, sum, 1, MPI_LONG, MPI_SUM, window);
    MPI_Fetch_and_op(&one, &seen, MPI_LONG, to, sum, MPI_SUM, window);
    MPI_Win_flush(to, window);
    CHECK(seen >= 1 && seen < 2 * size);
    for (int i = 0; i < SWAPS; ++i) count(window, to, counter);
  }
}

static void use(MPI_Win window, const MPI_Aint* bases, MPI_Aint unit, long* own, int round) {
  memset(own, 0, (2 * (size_t)size + 1) * sizeof *own);
  own[2 * size + 1] = -1;
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  store(window, bases, unit, round);
  MPI_Barrier(MPI_COMM_WORLD);
  load(window, bases, unit, round);
  add(window, bases, unit);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
  CHECK(own[2 * size] == 2 * size);
  CHECK(own[2 * size + 1] == SWAPS * size - 1);
}

/* ---- the flavors ---- */
static void allocated(void) {
  MPI_Aint* bases = calloc((size_t)size, sizeof *bases);
  for (int round = 0; round < 3; ++round) {
    long* own = NULL;
    MPI_Win window, larger;
    char* memory = NULL;
    const MPI_Aint bytes = rank % 3 == 1 ? 0 : 5000 * (rank + round + 1);
    MPI_Win_allocate((2 * size + 2) * (MPI_Aint)sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &larger);
    MPI_Win_lock_all(0, window);
    use(window, bases, 1, own, round);
    MPI_Win_unlock_all(window);
    if (bytes > 0) memset(memory, 0, (size_t)bytes);
    MPI_Win_fence(0, larger);
    const int right = (rank + 1) % size;
    const char mark = (char)(rank + round + 1);
    if (right % 3 != 1) MPI_Put(&mark, 1, MPI_CHAR, right, 5000 * (right + round + 1) - 1, 1, MPI_CHAR, larger);
    MPI_Win_fence(0, larger);
    if (bytes > 0) CHECK(memory[bytes - 1] == (rank + size - 1) % size + round + 1);
    MPI_Win_free(&larger);
    MPI_Win_free(&window);
  }
  free(bases);
}

static void attached(void) {
  const size_t bytes = (2 * (size_t)size + 2) * sizeof(long);
  MPI_Aint* bases = calloc((size_t)size, sizeof *bases);
  long* own = malloc(bytes);
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, own, (MPI_Aint)bytes);
  MPI_Get_address(own, &bases[rank]);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, bases, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  use(window, bases, sizeof *own, own, 3);
  MPI_Win_unlock_all(window);
  MPI_Win_detach(window, own);
  MPI_Win_free(&window);
  free(own);
  free(bases);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  allocated();
  attached();
  if (rank == 0) puts("PASS");
  MPI_Finalize();
  return 0;
}
