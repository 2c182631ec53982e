/* The time of one way between two ranks, for the sizes on the command line. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 10, most_bytes = 1 << 20 };

int main(int argc, char** argv) {
  static char message[most_bytes];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    const double begin = MPI_Wtime();
    for (int round = 0; round < rounds; ++round) {
      if (rank == 0) MPI_Send(message, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank <= 1) MPI_Recv(message, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(message, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%7d bytes: %8.2f us\n", bytes, (MPI_Wtime() - begin) / (2 * rounds) * 1e6);
  }
  return MPI_Finalize();
}
