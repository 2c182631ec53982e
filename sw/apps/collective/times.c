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
  unsigned char *send, *receive; /* large enough for the largest of the chosen operations */
  size_t volume;                 /* that a size of an operation may move; 0: any */
  unsigned count;                /* times that each is made and measured */
  int apart;                     /* a barrier before each */
  int metrics_each;              /* a metric for each size, not only the last one's */
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
  int sends_all; /* a block for each rank */
  int to_all;    /* every rank has something for every other one */
} operations[] = {
    {"barrier", barrier, NOTHING, 0, 0, 0, 0},   {"ibarrier", ibarrier, NOTHING, 0, 0, 0, 0},
    {"bcast", bcast, ROOTS_BLOCK, 0, 1, 0, 0},   {"gather", gather, ALL_BLOCKS, 1, 1, 0, 0},
    {"scatter", scatter, OWN_BLOCK, 0, 1, 1, 0}, {"allgather", allgather, ALL_BLOCKS, 0, 1, 0, 1},
    {"alltoall", alltoall, COLUMN, 0, 1, 1, 1},  {"reduce", reduce, SUM, 1, 1, 0, 0},
    {"allreduce", allreduce, SUM, 0, 1, 0, 0},   {"reduce_scatter", reduce_scatter, SUM_BLOCK, 0, 1, 1, 1},
    {"scan", scan, SUM_BEFORE, 0, 1, 0, 0}};
#define OPERATIONS (sizeof operations / sizeof *operations)

/* Byte `at` of a rank's data. */
static unsigned char sent(int rank, size_t at) { return (unsigned char)(at * 7 + (at >> 8) + (size_t)rank * 13 + 1); }

/* The sum over ranks 0 .. ranks - 1, modulo 256: their numbers add up to ranks (ranks - 1) / 2. */
static unsigned char sum(int ranks, size_t at) {
  const unsigned count = (unsigned)ranks;
  return (unsigned char)(count * sent(0, at) + 13 * (count * (count - 1) / 2));
}

static unsigned char expected(const struct setup* s, enum result result, int block, size_t within, size_t bytes) {
  const size_t own = (size_t)s->rank * bytes + within;
  switch (result) {
    case OWN_BLOCK:
      return sent(0, own);
    case ALL_BLOCKS:
      return sent(block, within);
    case COLUMN:
      return sent(block, own);
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

static int receives_all(const struct operation* operation) {
  return operation->result == ALL_BLOCKS || operation->result == COLUMN;
}

static size_t wrong_bytes(const struct setup* s, const struct operation* operation, size_t bytes) {
  const int at_root = operation->result == ROOTS_BLOCK && s->rank == 0;
  if (operation->result == NOTHING || at_root || (operation->root_only && s->rank != 0)) return 0;
  const unsigned char* at = s->receive;
  size_t wrong = 0;
  for (int block = 0; block < (receives_all(operation) ? s->ranks : 1); ++block)
    for (size_t i = 0; i < bytes; ++i) wrong += *at++ != expected(s, operation->result, block, i, bytes);
  return wrong;
}

/* ---- how much is moved ---- */
#define HEAD_BYTES 48u /* of a message, about: small ones are not free (A) */

/* A lower bound, for any algorithm. */
static size_t moved(const struct setup* s, const struct operation* operation, size_t bytes) {
  const size_t others = (size_t)s->ranks - 1;
  return (operation->to_all ? others * (size_t)s->ranks : others) * (bytes + HEAD_BYTES);
}

/* The number of repetitions: one to be checked, and as many as requested to be measured, or as many as permitted; a
 * single one serves as both. 0: it is left out. */
static unsigned repetitions(const struct setup* s, const struct operation* operation, size_t bytes) {
  const unsigned wanted = s->count + 1;
  const size_t each = moved(s, operation, bytes);
  if (s->volume == 0 || !operation->sizes || wanted * each <= s->volume) return wanted;
  return (unsigned)(s->volume / each);
}

/* Reports the limits that the volume sets for an operation's sizes. */
static void tell_limits(const struct setup* s, const struct operation* operation, size_t fewer, size_t none) {
  if (s->rank != 0 || (fewer == 0 && none == 0)) return;
  printf("note: %s", operation->name);
  if (fewer > 0) printf(" from %zu bytes on is made fewer than %u times%s", fewer, s->count + 1, none > 0 ? "," : "");
  if (none > 0) printf(" from %zu bytes on is left out", none);
  printf(": see --volume\n");
}

/* ---- measuring ---- */
static void measure(const struct setup* s, const struct operation* operation, size_t bytes, unsigned count) {
  double own = 0, all = 0, most = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (unsigned i = 0; i < count; ++i) {
    if (s->apart) MPI_Barrier(MPI_COMM_WORLD);
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
  if (!s->metrics_each) return;
  char name[32];
  snprintf(name, sizeof name, "slowest_us_%zu", bytes);
  hal_metric(name, most, "us");
}

/* Returns the number of wrong bytes. */
static size_t check_and_measure(const struct setup* s, const struct operation* operation, size_t bytes,
                                unsigned times) {
  memset(s->receive, 0, bytes * (receives_all(operation) ? (size_t)s->ranks : 1));
  if (times == 1) measure(s, operation, bytes, 1);
  if (times > 1) operation->make(s, (int)bytes);
  const size_t wrong = wrong_bytes(s, operation, bytes);
  if (times > 1) measure(s, operation, bytes, times - 1);
  return wrong;
}

/* ---- the program ---- */
static int is_chosen(const struct operation* operation, const char* only) {
  return strcmp(only, "all") == 0 || strcmp(only, operation->name) == 0;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Buffers for the largest size that is measured of each chosen operation. */
static void make_buffers(struct setup* s, const char* only, size_t least, size_t most) {
  size_t send = least, receive = least;
  for (const struct operation* operation = operations; operation < operations + OPERATIONS; ++operation)
    for (size_t bytes = least; is_chosen(operation, only) && bytes <= most; bytes *= 4) {
      if (repetitions(s, operation, bytes) == 0) continue;
      send = larger(send, bytes * (operation->sends_all ? (size_t)s->ranks : 1));
      receive = larger(receive, bytes * (receives_all(operation) ? (size_t)s->ranks : 1));
    }
  s->send = malloc(send);
  s->receive = malloc(receive);
  if (!s->send || !s->receive) hal_abort("no memory for the buffers: choose a smaller --most, or set host.memory");
  for (size_t i = 0; i < send; ++i) s->send[i] = sent(s->rank, i);
}

static size_t sizes_of(const struct setup* s, const struct operation* operation, size_t least, size_t most) {
  size_t wrong = 0, fewer = 0, none = 0;
  for (size_t bytes = least; bytes <= most; bytes *= 4) {
    const unsigned times = repetitions(s, operation, bytes);
    if (times == 0 && none == 0) none = bytes;
    if (times == 0) break;
    if (times <= s->count && fewer == 0) fewer = bytes;
    wrong += check_and_measure(s, operation, bytes, times);
    if (!operation->sizes) break;
  }
  tell_limits(s, operation, fewer, none);
  return wrong;
}

int collective_times(int argc, char** argv, const char* operation) {
  char names[256] = "all";
  for (size_t i = 0; i < OPERATIONS; ++i) strcat(strcat(names, "|"), operations[i].name);
  struct options options;
  options_init(&options, argc, argv);
  OPTIONS_TOLD("operation", operation, "one by its name, or all");
  const char* only = (options_choice)(&options, "operation", operation, names);
  const size_t smallest = options_size(&options, "least", "4", "bytes of the smallest");
  const size_t least = smallest > 0 ? smallest : 1;
  const size_t most = options_size(&options, "most", "16K", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "3", "times that each is made and measured");
  struct setup setup = {.count = count > 0 ? count : 1};
  setup.apart = strcmp(options_choice(&options, "barrier", "each", "each|none"), "each") == 0;
  setup.volume =
      options_size(&options, "volume", "72M",
                   "bytes that all ranks together move for a size; larger sizes are made fewer times, or left "
                   "out, which is said; 0: no limit");
  setup.metrics_each = strcmp(options_choice(&options, "metrics", "last", "last|each"), "each") == 0;
  options_check(&options);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &setup.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &setup.ranks);
  make_buffers(&setup, only, least, most);
  if (setup.rank == 0) printf("%-14s %10s %14s %14s\n", "operation", "bytes", "time_us", "slowest_us");
  double own[OPERATIONS] = {0}, wrong[OPERATIONS], all = 0;
  for (size_t i = 0; i < OPERATIONS; ++i)
    if (is_chosen(&operations[i], only)) own[i] = (double)sizes_of(&setup, &operations[i], least, most);
  MPI_Allreduce(own, wrong, OPERATIONS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (size_t i = 0; i < OPERATIONS; ++i) all += wrong[i];
  for (size_t i = 0; i < OPERATIONS; ++i)
    if (setup.rank == 0 && wrong[i] > 0) printf("FAIL: %.0f bytes of %s are wrong\n", wrong[i], operations[i].name);
  MPI_Finalize();
  if (setup.rank == 0 && all == 0) printf("PASS\n");
  return all > 0;
}
