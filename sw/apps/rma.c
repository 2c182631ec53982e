/* One-sided communication of MPI beside messages: latency and bandwidth of put, get and accumulate (MPI_Win_lock_all).
 *
 * Rank 0 accesses the window of rank 1, which waits in a barrier meanwhile. A latency is one operation and
 * MPI_Win_flush: until it is complete at rank 1. `arrival` is a put one way: the two ranks put to each other in turns,
 * and each looks at its own memory, with MPI_Win_sync between two looks, until all of the other's bytes are there.
 * Bandwidth: as many operations as --stream says, then one flush. Messages: ping-pong, half a round trip, and a stream
 * of nonblocking sends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define WARM 2u        /* operations that are not measured */
#define STREAM_MOST 64 /* messages at once */
enum { TAG_DATA = 1, TAG_DONE };

struct rma {
  int rank;
  unsigned count, stream;
  MPI_Win window;
  unsigned char *memory, *own;
  size_t bytes, wrong;
};

typedef void operation(const struct rma* rma);

static void put(const struct rma* rma) {
  MPI_Put(rma->own, (int)rma->bytes, MPI_BYTE, 1, 0, (int)rma->bytes, MPI_BYTE, rma->window);
}

static void get(const struct rma* rma) {
  MPI_Get(rma->own, (int)rma->bytes, MPI_BYTE, 1, 0, (int)rma->bytes, MPI_BYTE, rma->window);
}

static int reals(const struct rma* rma) { return (int)(rma->bytes / sizeof(double)); }

static void accumulate(const struct rma* rma) {
  MPI_Accumulate(rma->own, reals(rma), MPI_DOUBLE, 1, 0, reals(rma), MPI_DOUBLE, MPI_SUM, rma->window);
}

static void fetch_and_add(const struct rma* rma) {
  static const int64_t one = 1;
  MPI_Fetch_and_op(&one, rma->own, MPI_INT64_T, 1, 0, MPI_SUM, rma->window);
}

static void compare_and_swap(const struct rma* rma) {
  static const int64_t zero;
  MPI_Compare_and_swap(&zero, &zero, rma->own, MPI_INT64_T, 1, 0, rma->window);
}

static void begin(const struct rma* rma) {
  memset(rma->memory, 0, rma->bytes);
  memset(rma->own, 0, rma->bytes);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Microseconds, at rank 0; the other ranks wait. */
static double latency_us(const struct rma* rma, operation* make) {
  double start = 0;
  begin(rma);
  for (unsigned i = 0; rma->rank == 0 && i < WARM + rma->count; ++i) {
    if (i == WARM) start = MPI_Wtime();
    make(rma);
    MPI_Win_flush(1, rma->window);
  }
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e6 / rma->count;
}

static double stream_us(const struct rma* rma, operation* make) {
  begin(rma);
  const double start = MPI_Wtime();
  for (unsigned i = 0; rma->rank == 0 && i < rma->stream; ++i) make(rma);
  if (rma->rank == 0) MPI_Win_flush(1, rma->window);
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e6 / rma->stream;
}

/* ---- a put one way: it is there when each of its bytes is ---- */
/* A rank may poll memory that another one puts to (MPI-3.1, 11.7, the unified memory model), but nothing says in which
 * order bytes appear: a network that sends a lost packet again delivers it last. Looks at the last byte, and once it is
 * there, free of time, for one that still holds the value of before. */
static void await_put(const struct rma* rma, unsigned char before) {
  const volatile unsigned char* memory = rma->memory;
  size_t there = 0;
  while (there < rma->bytes) {
    while (memory[rma->bytes - 1] == before) MPI_Win_sync(rma->window);
    hal_untimed_begin();
    while (there < rma->bytes && memory[there] != before) ++there;
    hal_untimed_end();
    if (there < rma->bytes) MPI_Win_sync(rma->window);
  }
}

static void put_to_the_other(const struct rma* rma, unsigned char value) {
  hal_untimed_begin();
  memset(rma->own, value, rma->bytes);
  hal_untimed_end();
  MPI_Put(rma->own, (int)rma->bytes, MPI_BYTE, 1 - rma->rank, 0, (int)rma->bytes, MPI_BYTE, rma->window);
}

static void check(struct rma* rma, unsigned char value) {
  hal_untimed_begin();
  for (size_t at = 0; at < rma->bytes; ++at) rma->wrong += rma->memory[at] != value;
  hal_untimed_end();
}

/* There and back. Flushes afterwards, unmeasured, so that the buffers may be written again and the next put to the same
 * memory is allowed. */
static double turn_us(struct rma* rma, unsigned char before, unsigned char value) {
  const double start = MPI_Wtime();
  if (rma->rank == 0) put_to_the_other(rma, value);
  await_put(rma, before);
  const double end = MPI_Wtime();
  check(rma, value);
  if (rma->rank == 1) put_to_the_other(rma, value);
  MPI_Win_flush(1 - rma->rank, rma->window);
  return (end - start) * 1e6;
}

static double arrival_us(struct rma* rma) {
  double sum = 0;
  unsigned char value = 0; /* as begin() leaves the memory */
  begin(rma);
  for (unsigned i = 0; rma->rank < 2 && i < WARM + rma->count; ++i) {
    const unsigned char before = value;
    value = (unsigned char)(i % 255 + 1);
    const double us = turn_us(rma, before, value);
    if (i >= WARM) sum += us;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return sum / rma->count / 2;
}

/* ---- messages ---- */
static double message_us(const struct rma* rma) {
  const int bytes = (int)rma->bytes, other = 1 - rma->rank;
  double start = 0;
  begin(rma);
  for (unsigned i = 0; rma->rank < 2 && i < WARM + rma->count; ++i) {
    if (i == WARM) start = MPI_Wtime();
    if (rma->rank == 0) MPI_Send(rma->own, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD);
    MPI_Recv(rma->memory, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rma->rank == 1) MPI_Send(rma->own, bytes, MPI_BYTE, other, TAG_DATA, MPI_COMM_WORLD);
  }
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e6 / rma->count / 2;
}

static double messages_us(const struct rma* rma) {
  MPI_Request requests[STREAM_MOST];
  const int bytes = (int)rma->bytes, count = (int)rma->stream;
  begin(rma);
  for (int i = 0; rma->rank == 1 && i < count; ++i)
    MPI_Irecv(rma->memory, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; rma->rank == 0 && i < count; ++i)
    MPI_Isend(rma->own, bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
  if (rma->rank < 2) MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  if (rma->rank == 1) MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
  if (rma->rank == 0) MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  return (end - start) * 1e6 / count;
}

/* ---- results: of a run with several sizes the largest counts ---- */
static void tell(const struct rma* rma, const char* name, const char* what, double value, const char* unit) {
  char metric[64];
  if (rma->rank != 0) return;
  snprintf(metric, sizeof metric, "%s_%s", name, what);
  printf(" %11.3f", value);
  hal_metric(metric, value, unit);
}

static void measure(const struct rma* rma, const char* name, operation* make) {
  tell(rma, name, "us", latency_us(rma, make), "us");
  tell(rma, name, "MBps", (double)rma->bytes / stream_us(rma, make), "MB/s");
}

static void measure_size(struct rma* rma) {
  if (rma->rank == 0) printf("%10zu", rma->bytes);
  tell(rma, "arrival", "us", arrival_us(rma), "us");
  measure(rma, "put", put);
  measure(rma, "get", get);
  measure(rma, "accumulate", accumulate);
  tell(rma, "message", "us", message_us(rma), "us");
  tell(rma, "message", "MBps", (double)rma->bytes / messages_us(rma), "MB/s");
  if (rma->rank == 0) printf("\n");
}

static void measure_words(struct rma* rma) {
  rma->bytes = sizeof(int64_t);
  if (rma->rank == 0) printf("fetch_and_add, compare_and_swap (us):");
  tell(rma, "fetch_and_add", "us", latency_us(rma, fetch_and_add), "us");
  int64_t sum = 0;
  memcpy(&sum, rma->memory, sizeof sum);
  if (rma->rank == 1) rma->wrong += sum != (int64_t)(WARM + rma->count);
  tell(rma, "compare_and_swap", "us", latency_us(rma, compare_and_swap), "us");
  if (rma->rank == 0) printf("\n");
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "8", "bytes of the smallest access, 8 at least");
  const size_t most = options_size(&options, "most", "64K", "bytes of the largest; sizes grow eightfold");
  const size_t count =
      options_size(&options, "count", "10", "operations of each size of which the latency is the mean");
  const size_t stream = options_size(&options, "stream", "16", "operations of each size at once, at most 64");
  options_check(&options);
  MPI_Init(&argc, &argv);
  if (hal_ranks() < 2) hal_abort("rma wants two ranks at least: give --np 2");
  if (least < sizeof(double) || most < least) hal_abort("rma: --least is 8 or more, and --most no less than that");
  if (count < 1 || stream < 1 || stream > STREAM_MOST) hal_abort("rma: --count is 1 or more, --stream 1 to 64");
  struct rma rma = {.count = (unsigned)count, .stream = (unsigned)stream, .own = malloc(most)};
  MPI_Comm_rank(MPI_COMM_WORLD, &rma.rank);
  MPI_Win_allocate((MPI_Aint)most, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &rma.memory, &rma.window);
  MPI_Win_lock_all(0, rma.window);
  measure_words(&rma);
  if (rma.rank == 0)
    printf("%10s %11s %11s %11s %11s %11s %11s %11s %11s %11s\n", "bytes", "arrival_us", "put_us", "put_MBps", "get_us",
           "get_MBps", "acc_us", "acc_MBps", "message_us", "msg_MBps");
  for (rma.bytes = least; rma.bytes <= most; rma.bytes *= 8) measure_size(&rma);
  MPI_Win_unlock_all(rma.window);
  MPI_Win_free(&rma.window);
  if (rma.wrong > 0) printf("FAIL: rank %d has %zu wrong bytes\n", rma.rank, rma.wrong);
  if (rma.rank == 0 && rma.wrong == 0) printf("PASS\n");
  MPI_Finalize();
  return rma.wrong > 0;
}
