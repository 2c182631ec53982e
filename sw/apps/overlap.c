/* Overlap: the processor time of a message, and how much of the processor is left for work (post, work, wait).
 *
 * Rank 0 is measured, rank 1 is its partner. Rank 0 posts a nonblocking send or receive, works without a call of MPI,
 * and waits. With nothing to work that takes the time of the message. With work of the message's own time, the overlap
 * is the share of that time which the work has hidden. With twice as much, what it takes beyond the work is overhead:
 * calls, copies, and the part of the transfer that made no progress meanwhile; availability is what the overhead leaves
 * of the message's time: the work done beside a transfer, over the work done without one. The partner is in a blocking
 * call all the while: how much longer that takes when rank 0 works tells whether matching and transfers need rank 0's
 * processor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/work/work.h"
#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define LONG_WORK 2.0 /* times the message's own time: more than it takes to hide all of that */

enum { TAG_GO = 1, TAG_DATA, TAG_TIME };

struct pair {
  struct work work;
  int rank, sends; /* sends: what rank 0 is measured at */
  unsigned char* data;
  size_t bytes, wrong;
  unsigned round; /* distinguishes the data of different messages */
};

struct times { /* us */
  double own, work, partner;
};

static double now_us(void) { return MPI_Wtime() * 1e6; }

static unsigned char byte_of(const struct pair* pair, size_t i) {
  return (unsigned char)(i * 7 + i / 251 + pair->round * 13 + 1);
}

static void fill(const struct pair* pair) {
  for (size_t i = 0; i < pair->bytes; ++i) pair->data[i] = byte_of(pair, i);
}

static void check(struct pair* pair) {
  for (size_t i = 0; i < pair->bytes; ++i) pair->wrong += pair->data[i] != byte_of(pair, i);
}

static void go(int to) { MPI_Send(NULL, 0, MPI_BYTE, to, TAG_GO, MPI_COMM_WORLD); }

static void wait_for_go(int from) { MPI_Recv(NULL, 0, MPI_BYTE, from, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

/* The receive is posted before the message is sent: the receiver says so. */
static struct times send_measured(const struct pair* pair, double work_us) {
  MPI_Request request;
  struct times times = {0};
  wait_for_go(1);
  const double start = now_us();
  MPI_Isend(pair->data, (int)pair->bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
  times.work = work_for_us(&pair->work, work_us);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  times.own = now_us() - start;
  return times;
}

static struct times receive_measured(const struct pair* pair, double work_us) {
  MPI_Request request;
  struct times times = {0};
  const double start = now_us();
  MPI_Irecv(pair->data, (int)pair->bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
  const double posted = now_us();
  go(1);
  const double told = now_us();
  times.work = work_for_us(&pair->work, work_us);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  times.own = now_us() - told + (posted - start);
  return times;
}

static double send_as_partner(const struct pair* pair) {
  wait_for_go(0);
  const double start = now_us();
  MPI_Send(pair->data, (int)pair->bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
  return now_us() - start;
}

static double receive_as_partner(const struct pair* pair) {
  MPI_Request request;
  MPI_Irecv(pair->data, (int)pair->bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD, &request);
  go(0);
  const double start = now_us();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return now_us() - start;
}

/* One message with so much work; rank 0 gets both ranks' times. */
static struct times once(struct pair* pair, double work_us) {
  struct times times = {0};
  ++pair->round;
  const int fills = (pair->rank == 0) == pair->sends;
  if (fills) fill(pair);
  MPI_Barrier(MPI_COMM_WORLD);
  if (pair->rank == 0) {
    times = pair->sends ? send_measured(pair, work_us) : receive_measured(pair, work_us);
    MPI_Recv(&times.partner, 1, MPI_DOUBLE, 1, TAG_TIME, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    times.partner = pair->sends ? receive_as_partner(pair) : send_as_partner(pair);
    MPI_Send(&times.partner, 1, MPI_DOUBLE, 0, TAG_TIME, MPI_COMM_WORLD);
  }
  if (!fills) check(pair);
  return times;
}

static struct times mean(struct pair* pair, double work_us, unsigned count) {
  struct times sum = {0};
  for (unsigned i = 0; i < count; ++i) {
    const struct times times = once(pair, work_us);
    sum.own += times.own / count;
    sum.work += times.work / count;
    sum.partner += times.partner / count;
  }
  return sum;
}

static void tell(const struct pair* pair, const char* name, double value, const char* unit) {
  char text[64];
  snprintf(text, sizeof text, "%s_%s", pair->sends ? "send" : "receive", name);
  hal_metric(text, value, unit);
}

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void measure(struct pair* pair, unsigned count) {
  once(pair, 0); /* the first touch of a buffer costs more */
  const struct times idle = mean(pair, 0, count);
  double time_us = idle.own;
  MPI_Bcast(&time_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const struct times equal = mean(pair, time_us, count), busy = mean(pair, LONG_WORK * time_us, count);
  if (pair->rank != 0) return;
  const double overlap = fmax(0, share(idle.own - (equal.own - equal.work), idle.own));
  const double overhead = busy.own - busy.work;
  const double availability = share(idle.own - overhead, idle.own);
  const double later = busy.partner - idle.partner, delay = fabs(later) < 0.5e-3 ? 0 : later; /* not "-0.000" */
  printf("%-8s %10zu %12.3f %12.3f %14.1f %16.3f %10.1f\n", pair->sends ? "send" : "receive", pair->bytes, idle.own,
         overhead, availability, delay, overlap);
  tell(pair, "time_us", idle.own, "us");
  tell(pair, "overhead_us", overhead, "us");
  tell(pair, "availability", availability, "%");
  tell(pair, "partner_delay_us", delay, "us");
  tell(pair, "overlap", overlap, "%");
}

/* Sizes that grow fourfold; 0 bytes alone stand before them. */
static size_t next_size(size_t bytes) { return bytes > 0 ? bytes * 4 : 4; }

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "4", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "1M", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "4", "messages of each kind");
  struct pair pair = {.work = work_option(&options)};
  options_check(&options);
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &pair.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) hal_abort("overlap: wants two ranks, on two nodes; say --np 2");
  pair.data = malloc(most + 1);
  if (!pair.data) hal_abort("overlap: the node's memory is full; give --most less");
  work_calibrate(&pair.work);
  if (pair.rank == 0)
    printf("%-8s %10s %12s %12s %14s %16s %10s\n", "rank 0", "bytes", "time_us", "overhead_us", "availability_%",
           "partner_delay_us", "overlap_%");
  for (pair.sends = 0; pair.sends < 2; ++pair.sends)
    for (pair.bytes = least; pair.bytes <= most; pair.bytes = next_size(pair.bytes))
      measure(&pair, count > 0 ? count : 1);
  long wrong = (long)pair.wrong;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (pair.rank == 0) printf(wrong > 0 ? "FAIL: %ld bytes were wrong\n" : "PASS\n", wrong);
  return wrong > 0;
}
