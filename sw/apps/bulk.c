/* Bulk-synchronous: each rank computes for a while, then all meet in a collective operation, again and again. A rank
 * that its node's system disturbs makes all others wait: the finer the granularity and the more ranks, the larger the
 * share of an iteration. The slowdown is an iteration's time over that of its work alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sw/apps/work/work.h"
#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

enum meeting { BARRIER, ALLREDUCE, NONE };

static enum meeting meeting_option(struct options* options) {
  const char* name = options_choice(options, "meeting", "allreduce", "allreduce|barrier|none");
  return strcmp(name, "barrier") == 0 ? BARRIER : strcmp(name, "none") == 0 ? NONE : ALLREDUCE;
}

/* Whether the sum is that of all ranks' numbers in this iteration. */
static int meet(enum meeting meeting, int rank, int ranks, double iteration) {
  if (meeting == BARRIER) MPI_Barrier(MPI_COMM_WORLD);
  if (meeting != ALLREDUCE) return 1;
  double own = rank + iteration, sum = 0;
  MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum == 0.5 * ranks * (ranks - 1) + ranks * iteration;
}

struct times {
  double work_us, mean_us, least_us, most_us;
  int right;
};

static struct times measure(const struct work* work, enum meeting meeting, double granularity_us, unsigned iterations) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct times times = {.least_us = INFINITY, .right = 1};
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double before = start;
  for (unsigned i = 0; i < iterations; ++i) {
    times.work_us = work_for_us(work, granularity_us);
    times.right &= meet(meeting, rank, ranks, i);
    const double now = MPI_Wtime(), us = (now - before) * 1e6;
    times.least_us = fmin(times.least_us, us);
    times.most_us = fmax(times.most_us, us);
    before = now;
  }
  times.mean_us = (before - start) * 1e6 / iterations;
  return times;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  struct work work = work_option(&options);
  const enum meeting meeting = meeting_option(&options);
  const size_t granularity_us = options_size(&options, "granularity-us", "1000", "of work in an iteration");
  const size_t iterations = options_size(&options, "iterations", "100", "of work and meeting");
  options_check(&options);
  if (granularity_us < 1 || iterations < 1) hal_abort("bulk wants --granularity-us and --iterations of 1 or more");
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  work_calibrate(&work);
  meet(meeting, rank, ranks, 0); /* the first one sets up what the others use */
  const struct times times = measure(&work, meeting, (double)granularity_us, (unsigned)iterations);
  double mean_us = times.mean_us;
  int right = times.right;
  MPI_Allreduce(MPI_IN_PLACE, &mean_us, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) {
    const double slowdown = mean_us / times.work_us;
    printf("bulk: %d ranks, %zu iterations, work_us %.3f, iteration_us %.3f (%.3f to %.3f), slowdown %.4f\n", ranks,
           iterations, times.work_us, mean_us, times.least_us, times.most_us, slowdown);
    hal_metric("iteration_us", mean_us, "us");
    hal_metric("longest_us", times.most_us, "us");
    hal_metric("slowdown", slowdown, "1");
    printf(right ? "PASS\n" : "FAIL: a sum over all ranks is wrong\n");
  }
  return right ? 0 : 1;
}
