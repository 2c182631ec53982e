/* A message goes round a ring of ranks, some times over. Rank 0 reports how long a round takes. */
#include <mpi.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

enum { rounds = 10 };

int main(int argc, char** argv) {
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* message = calloc(1, (size_t)bytes);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) MPI_Send(message, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(message, bytes, MPI_BYTE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Send(message, bytes, MPI_BYTE, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  }
  const double seconds = (MPI_Wtime() - begin) / rounds;
  if (rank == 0) {
    hal_metric("round_us", seconds * 1e6, "us");
    hal_metric("rate_MBps", (double)bytes * ranks / seconds / 1e6, "MB/s");
  }
  free(message);
  return MPI_Finalize();
}
