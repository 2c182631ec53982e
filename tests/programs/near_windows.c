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

/* ---- parts of a shared window: of 0, 4, 1, 12, 5, 6, 7 ... bytes more than all ranks' doubles take ---- */
static size_t more_of(int self) {
  static const size_t few[] = {0, 4, 1, 12};
  return self < 4 ? few[self] : (size_t)self + 1;
}

static size_t bytes_of(int self, int ranks) { return more_of(self) + (size_t)ranks * (sizeof(double) + sizeof(long)); }

static void follows(MPI_Win window, const char* base, int self, int ranks, int gaps) {
  char *first = NULL, *found = NULL;
  MPI_Aint bytes = 0;
  int unit = 0;
  size_t offset = 0;
  MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &first);
  for (int other = 0; other < ranks; ++other) {
    MPI_Win_shared_query(window, other, &bytes, &unit, &found);
    CHECK(unit == 1 && (size_t)bytes == bytes_of(other, ranks));
    CHECK(gaps ? found >= first + offset : found == first + offset);
    CHECK(other != self || found == base);
    offset = (size_t)(found - first) + (size_t)bytes;
  }
}

/* Sums of doubles and of long integers, which lie anywhere: from the first byte on, and to the last. */
static void sums(MPI_Win window, const char* base, int self, int ranks) {
  const double half = 0.5;
  const long two = 2;
  MPI_Win_lock_all(0, window);
  for (int to = 0; to < ranks; ++to) {
    double* ones = malloc((size_t)ranks * sizeof *ones);
    for (int i = 0; i < ranks; ++i) ones[i] = 1.0;
    const MPI_Aint second = (MPI_Aint)(bytes_of(to, ranks) - (size_t)ranks * sizeof two);
    MPI_Accumulate(ones, ranks, MPI_DOUBLE, to, 0, ranks, MPI_DOUBLE, MPI_SUM, window);
    MPI_Accumulate(&half, 1, MPI_DOUBLE, to, self * (MPI_Aint)sizeof half, 1, MPI_DOUBLE, MPI_SUM, window);
    for (int i = 0; i < ranks; ++i)
      MPI_Accumulate(&two, 1, MPI_LONG, to, second + i * (MPI_Aint)sizeof two, 1, MPI_LONG, MPI_SUM, window);
    MPI_Win_flush(to, window);
    free(ones);
  }
  MPI_Win_unlock_all(window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < ranks; ++i) {
    double sum = 0;
    long even = 0;
    memcpy(&sum, base + (size_t)i * sizeof sum, sizeof sum);
    memcpy(&even, base + bytes_of(self, ranks) - (size_t)(ranks - i) * sizeof even, sizeof even);
    CHECK(sum == ranks + 0.5);
    CHECK(even == 2L * ranks);
  }
  MPI_Win_fence(0, window);
}

static void shared(int gaps) {
  MPI_Comm node;
  MPI_Info info;
  MPI_Win window;
  char* base = NULL;
  int self = 0, ranks = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &self);
  MPI_Comm_size(node, &ranks);
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", gaps ? "true" : "false");
  MPI_Win_allocate_shared((MPI_Aint)bytes_of(self, ranks), 1, info, node, &base, &window);
  follows(window, base, self, ranks, gaps);
  memset(base, 0, bytes_of(self, ranks));
  MPI_Barrier(node);
  sums(window, base, self, ranks);
  MPI_Win_free(&window);
  MPI_Info_free(&info);
  MPI_Comm_free(&node);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  allocated();
  attached();
  shared(0);
  shared(1);
  if (rank == 0) puts("PASS");
  MPI_Finalize();
  return 0;
}
