/* Broadcast from each of some roots: its time, and every byte checked (QsNET paper 3.2; FACTS.md 1.1). With -s
 * elan.broadcast=software it goes by a tree of messages instead of by the network. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/apps/levels/levels.h"
#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"
#include "sw/support/options.h"

/* Microseconds from the first rank's start to the last one's end, the mean of `count`. */
static double time_us(unsigned char* buffer, size_t bytes, unsigned count, int root) {
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Bcast(buffer, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    double end = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sum += end - start;
  }
  return sum / count * 1e6;
}

int main(int argc, char** argv) {
  struct options options;
  options_init(&options, argc, argv);
  const size_t least = options_size(&options, "least", "8", "bytes of the smallest");
  const size_t most = options_size(&options, "most", "64K", "bytes of the largest; sizes grow fourfold");
  const unsigned count = (unsigned)options_size(&options, "count", "2", "broadcasts of each size");
  options_check(&options);
  MPI_Init(&argc, &argv);
  int rank, ranks, wrong_sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  unsigned char* buffer = malloc(most + 1);
  if (rank == 0) printf("%10s %14s %14s\n", "bytes", "time_us", "bandwidth_MBps");
  for (size_t bytes = least > 0 ? least : 1; bytes <= most; bytes *= 4) {
    const int root = (int)(bytes % (size_t)ranks);
    level_fill(buffer, bytes, rank == root ? (unsigned)bytes : 0xffffu);
    const double us = time_us(buffer, bytes, count > 0 ? count : 1, root);
    wrong_sum += level_wrong(buffer, bytes, (unsigned)bytes) > 0;
    if (rank == 0) hal_metric("time_us", us, "us");
    if (rank == 0) hal_metric("bandwidth_MBps", (double)bytes / us, "MB/s");
    if (rank == 0) printf("%10zu %14.3f %14.2f\n", bytes, us, (double)bytes / us);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong_sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf(wrong_sum > 0 ? "FAIL: %d broadcasts had wrong bytes\n" : "PASS\n", wrong_sum);
  return wrong_sum > 0;
}
