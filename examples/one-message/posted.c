/* There and back while many receives are posted that match nothing: N on the command line; rank 0 prints one way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 10, most_posted = 4096, tag = 0, first_other_tag = 100 };

int main(int argc, char** argv) {
  static int values[most_posted];
  static MPI_Request posted[most_posted];
  const int count = argc > 1 ? atoi(argv[1]) : 0;
  int rank, message = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int other = 1 - rank;
  for (int i = 0; i < count; ++i)
    MPI_Irecv(&values[i], 1, MPI_INT, other, first_other_tag + i, MPI_COMM_WORLD, &posted[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) MPI_Send(&message, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
    MPI_Recv(&message, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&message, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%3d posted: %6.2f us\n", count, (MPI_Wtime() - begin) / (2 * rounds) * 1e6);
  for (int i = 0; i < count; ++i) MPI_Send(&message, 1, MPI_INT, other, first_other_tag + i, MPI_COMM_WORLD);
  MPI_Waitall(count, posted, MPI_STATUSES_IGNORE);
  return MPI_Finalize();
}
