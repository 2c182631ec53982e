/* Two ranks send each other messages, there and back; rank 0 prints the time of one way, by size. */
#include <mpi.h>
#include <stdio.h>

enum { rounds = 10, most_bytes = 4096 };

int main(int argc, char** argv) {
  static char message[most_bytes];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int bytes = 1; bytes <= most_bytes; bytes *= 16) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) {
      if (rank == 0) MPI_Send(message, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank <= 1) MPI_Recv(message, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(message, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    const double one_way = (MPI_Wtime() - begin) / (2 * rounds);
    if (rank == 0) printf("%5d bytes: %6.2f us\n", bytes, one_way * 1e6);
  }
  return MPI_Finalize();
}
