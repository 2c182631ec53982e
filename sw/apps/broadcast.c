/* Broadcast from each of some roots: its time, and every byte checked (QsNET paper 3.2; FACTS.md 1.1). Main memory is
 * broadcast by MPI; with -s elan.broadcast=software by a tree of messages instead of by the network. Elan memory is
 * broadcast by the network. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/levels/buffers.h"
#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

#define WARM 1u /* broadcasts of each size that are not measured */

struct broadcast {
  unsigned char* main; /* null: Elan memory */
  struct buffers elan;
};

static void broadcast_send(struct broadcast* broadcast, size_t bytes, int root) {
  const struct buffers* elan = &broadcast->elan;
  if (broadcast->main)
    MPI_Bcast(broadcast->main, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  else
    elan_hbcastAt(elan_allGroup(elan->base), elan->out_address, elan->in_address, bytes, (unsigned)root);
}

/* Microseconds from the first rank's start to the last one's end, the mean of `count`. The first broadcast of all also
 * maps memory and sets up groups, so one of each size is not measured. */
static double time_us(struct broadcast* broadcast, size_t bytes, unsigned count, int root) {
  double sum = 0;
  for (unsigned i = 0; i < WARM + count; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    broadcast_send(broadcast, bytes, root);
    double end = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i >= WARM) sum += end - start;
  }
  return sum / count * 1e6;
}

static void fill(struct broadcast* broadcast, size_t bytes, unsigned seed) {
  if (broadcast->main)
    level_fill(broadcast->main, bytes, seed);
  else
    buffers_fill(&broadcast->elan, bytes, seed);
}

static int is_wrong(const struct broadcast* broadcast, size_t bytes) {
  const unsigned seed = (unsigned)bytes;
  if (broadcast->main) return level_wrong(broadcast->main, bytes, seed) > 0;
  return buffers_wrong(&broadcast->elan, bytes, seed) > 0;
}

static void tell(size_t bytes, double us) {
  hal_metric("time_us", us, "us");
  hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
  printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "8", "bytes of the smallest");
  const size_t most = options_size(&options, "most", "64K", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "2", "broadcasts of each size");
  const int in_elan = strcmp(options_choice(&options, "memory", "main", "main|elan"), "elan") == 0;
  options_check(&options);
  MPI_Init(&argc, &argv);
  int rank, ranks, wrong_sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct broadcast broadcast = {.main = in_elan ? NULL : malloc(most + 1)};
  if (in_elan) buffers_create(&broadcast.elan, most, 1);
  if (rank == 0) printf("%10s %14s %14s\n", "bytes", "time_us", "bandwidth_MBps");
  for (size_t bytes = least > 0 ? least : 1; bytes <= most; bytes *= 4) {
    const int root = (int)(bytes % (size_t)ranks);
    fill(&broadcast, bytes, rank == root ? (unsigned)bytes : 0xffffu);
    const double us = time_us(&broadcast, bytes, count > 0 ? count : 1, root);
    wrong_sum += is_wrong(&broadcast, bytes);
    if (rank == 0) tell(bytes, us);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong_sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf(wrong_sum > 0 ? "FAIL: %d broadcasts had wrong bytes\n" : "PASS\n", wrong_sum);
  return wrong_sum > 0;
}
