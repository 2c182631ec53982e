/* See times.h. */
#include "sw/apps/collective/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

struct setup {
  int rank, ranks;
  unsigned char *send, *receive; /* [ranks * most] each */
};

/* ---- the operations ---- */
static void barrier(const struct setup* s, int bytes) {
  (void)s;
  (void)bytes;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void ibarrier(const struct setup* s, int bytes) {
  (void)s;
  (void)bytes;
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void bcast(const struct setup* s, int bytes) {
  MPI_Bcast(s->rank == 0 ? s->send : s->receive, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(const struct setup* s, int bytes) {
  MPI_Gather(s->send, bytes, MPI_BYTE, s->receive, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(const struct setup* s, int bytes) {
  MPI_Scatter(s->send, bytes, MPI_BYTE, s->receive, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void allgather(const struct setup* s, int bytes) {
  MPI_Allgather(s->send, bytes, MPI_BYTE, s->receive, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(const struct setup* s, int bytes) {
  MPI_Alltoall(s->send, bytes, MPI_BYTE, s->receive, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce(const struct setup* s, int bytes) {
  MPI_Reduce(s->send, s->receive, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(const struct setup* s, int bytes) {
  MPI_Allreduce(s->send, s->receive, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter(const struct setup* s, int bytes) {
  MPI_Reduce_scatter_block(s->send, s->receive, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(const struct setup* s, int bytes) {
  MPI_Scan(s->send, s->receive, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
}

/* ---- what they leave behind ---- */
enum result { NOTHING, ROOTS_BLOCK, OWN_BLOCK, ALL_BLOCKS, COLUMN, SUM, SUM_BLOCK, SUM_BEFORE };

static const struct operation {
  const char* name;
  void (*make)(const struct setup* setup, int bytes);
  enum result result;
  int root_only; /* the root alone has a result */
  int sizes;     /* 0: there is only one size */
} operations[] = {{"barrier", barrier, NOTHING, 0, 0},   {"ibarrier", ibarrier, NOTHING, 0, 0},
                  {"bcast", bcast, ROOTS_BLOCK, 0, 1},   {"gather", gather, ALL_BLOCKS, 1, 1},
                  {"scatter", scatter, OWN_BLOCK, 0, 1}, {"allgather", allgather, ALL_BLOCKS, 0, 1},
                  {"alltoall", alltoall, COLUMN, 0, 1},  {"reduce", reduce, SUM, 1, 1},
                  {"allreduce", allreduce, SUM, 0, 1},   {"reduce_scatter", reduce_scatter, SUM_BLOCK, 0, 1},
                  {"scan", scan, SUM_BEFORE, 0, 1}};
#define OPERATIONS (sizeof operations / sizeof *operations)

/* Byte `at` of what a rank sends. */
static unsigned char sent(int rank, size_t at) { return (unsigned char)(at * 7 + (at >> 8) + (size_t)rank * 13 + 1); }

static unsigned char sum(int ranks, size_t at) {
  unsigned char all = 0;
  for (int i = 0; i < ranks; ++i) all = (unsigned char)(all + sent(i, at));
  return all;
}

static unsigned char expected(const struct setup* s, enum result result, size_t at, size_t bytes) {
  const size_t block = at / bytes, within = at % bytes, own = (size_t)s->rank * bytes + within;
  switch (result) {
    case OWN_BLOCK:
      return sent(0, own);
    case ALL_BLOCKS:
      return sent((int)block, within);
    case COLUMN:
      return sent((int)block, own);
    case SUM:
      return sum(s->ranks, within);
    case SUM_BLOCK:
      return sum(s->ranks, own);
    case SUM_BEFORE:
      return sum(s->rank + 1, within);
    default:
      return sent(0, within);
  }
}

static size_t wrong_bytes(const struct setup* s, const struct operation* operation, size_t bytes) {
  const int at_root = operation->result == ROOTS_BLOCK && s->rank == 0;
  if (operation->result == NOTHING || at_root || (operation->root_only && s->rank != 0)) return 0;
  const int many = operation->result == ALL_BLOCKS || operation->result == COLUMN;
  size_t wrong = 0;
  for (size_t i = 0; i < bytes * (many ? (size_t)s->ranks : 1); ++i)
    wrong += s->receive[i] != expected(s, operation->result, i, bytes);
  return wrong;
}

static void measure(const struct setup* s, const struct operation* operation, size_t bytes, unsigned count, int apart) {
  double own = 0, all = 0, most = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (unsigned i = 0; i < count; ++i) {
    if (apart) MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    operation->make(s, (int)bytes);
    own += MPI_Wtime() - start;
  }
  own *= 1e6 / count;
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (s->rank != 0) return;
  printf("%-14s %10zu %14.3f %14.3f\n", operation->name, operation->sizes ? bytes : 0, all / s->ranks, most);
  hal_metric("time_us", all / s->ranks, "us");
  hal_metric("slowest_us", most, "us");
}

int collective_times(int argc, char** argv, const char* operation) {
  char names[256] = "all";
  for (size_t i = 0; i < OPERATIONS; ++i) strcat(strcat(names, "|"), operations[i].name);
  struct options options;
  options_init(&options, argc, argv);
  OPTIONS_TOLD("operation", operation, "one by its name, or all");
  const char* only = (options_choice)(&options, "operation", operation, names);
  const size_t least = options_size(&options, "least", "4", "bytes of the smallest");
  const size_t most = options_size(&options, "most", "16K", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "3", "times that each is made");
  const int apart = strcmp(options_choice(&options, "barrier", "each", "each|none"), "each") == 0;
  options_check(&options);
  MPI_Init(&argc, &argv);
  struct setup setup;
  MPI_Comm_rank(MPI_COMM_WORLD, &setup.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &setup.ranks);
  const size_t room = (size_t)setup.ranks * most;
  setup.send = malloc(room + 1);
  setup.receive = malloc(room + 1);
  for (size_t i = 0; i < room; ++i) setup.send[i] = sent(setup.rank, i);
  if (setup.rank == 0) printf("%-14s %10s %14s %14s\n", "operation", "bytes", "time_us", "slowest_us");
  size_t wrong = 0;
  for (size_t i = 0; i < OPERATIONS; ++i) {
    const struct operation* operation = &operations[i];
    if (strcmp(only, "all") != 0 && strcmp(only, operation->name) != 0) continue;
    for (size_t bytes = least > 0 ? least : 1; bytes <= most; bytes *= 4) {
      memset(setup.receive, 0, room);
      operation->make(&setup, (int)bytes);
      wrong += wrong_bytes(&setup, operation, bytes);
      measure(&setup, operation, bytes, count > 0 ? count : 1, apart);
      if (!operation->sizes) break;
    }
  }
  double own = (double)wrong, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (setup.rank == 0) printf(all > 0 ? "FAIL: %.0f bytes are wrong\n" : "PASS\n", all);
  return all > 0;
}
