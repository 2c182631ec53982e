/* Overlap: what a message costs the processor, and how much of its time is left for work (post, work, wait).
 *
 * Rank 0 is measured, rank 1 is its partner. Rank 0 posts a nonblocking send or receive, works without a call of MPI,
 * and waits. With nothing to work that takes the time of the message; with more work than that, what it takes beyond
 * the work is overhead: calls, copies, and whatever of the transfer did not go on meanwhile. Availability is what the
 * overhead leaves of the message's time. The partner is in a blocking call all the while: how much longer that takes
 * when rank 0 works tells whether matching and transfers need rank 0's processor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define WORK_TIMES 2.0 /* the message's own time: more than can be hidden behind */

enum { TAG_GO = 1, TAG_DATA, TAG_TIME };

struct pair {
  int rank, sends; /* sends: what rank 0 is measured at */
  unsigned char* data;
  size_t bytes, wrong;
  unsigned round; /* tells the data of one message from those of another */
};

struct times {
  double own, partner; /* us */
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
static double send_measured(const struct pair* pair, double work_us) {
  MPI_Request request;
  wait_for_go(1);
  const double start = now_us();
  MPI_Isend(pair->data, (int)pair->bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
  hal_compute_ps((uint64_t)(work_us * HAL_PS_PER_US));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return now_us() - start;
}

static double receive_measured(const struct pair* pair, double work_us) {
  MPI_Request request;
  const double start = now_us();
  MPI_Irecv(pair->data, (int)pair->bytes, MPI_BYTE, 1, TAG_DATA, MPI_COMM_WORLD, &request);
  const double posted = now_us();
  go(1);
  const double told = now_us();
  hal_compute_ps((uint64_t)(work_us * HAL_PS_PER_US));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return now_us() - told + (posted - start);
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
    times.own = pair->sends ? send_measured(pair, work_us) : receive_measured(pair, work_us);
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
    sum.partner += times.partner / count;
  }
  return sum;
}

static void tell(const struct pair* pair, const char* name, double value, const char* unit) {
  char text[64];
  snprintf(text, sizeof text, "%s_%s", pair->sends ? "send" : "receive", name);
  hal_metric(text, value, unit);
}

static void measure(struct pair* pair, unsigned count) {
  once(pair, 0); /* the first touch of a buffer costs more */
  const struct times idle = mean(pair, 0, count);
  double work_us = WORK_TIMES * idle.own;
  MPI_Bcast(&work_us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const struct times busy = mean(pair, work_us, count);
  if (pair->rank != 0) return;
  const double overhead = busy.own - work_us, availability = 100 * (1 - overhead / idle.own);
  const double delay = busy.partner - idle.partner;
  printf("%-8s %10zu %12.3f %12.3f %14.1f %16.3f\n", pair->sends ? "send" : "receive", pair->bytes, idle.own, overhead,
         availability, delay);
  tell(pair, "time_us", idle.own, "us");
  tell(pair, "overhead_us", overhead, "us");
  tell(pair, "availability", availability, "%");
  tell(pair, "partner_delay_us", delay, "us");
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "4", "bytes of the smallest message");
  const size_t most = options_size(&options, "most", "1M", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "4", "messages of each kind");
  options_check(&options);
  MPI_Init(&argc, &argv);
  struct pair pair = {.data = malloc(most + 1)};
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &pair.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) hal_abort("overlap: wants two ranks, on two nodes; say --np 2");
  if (pair.rank == 0)
    printf("%-8s %10s %12s %12s %14s %16s\n", "rank 0", "bytes", "time_us", "overhead_us", "availability_%",
           "partner_delay_us");
  for (pair.sends = 0; pair.sends < 2; ++pair.sends)
    for (pair.bytes = least > 0 ? least : 1; pair.bytes <= most; pair.bytes *= 4) measure(&pair, count > 0 ? count : 1);
  long wrong = (long)pair.wrong;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (pair.rank == 0) printf(wrong > 0 ? "FAIL: %ld bytes were wrong\n" : "PASS\n", wrong);
  return wrong > 0;
}
