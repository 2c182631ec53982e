/* Each of two ranks receives before it sends: neither ever gets anything. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Recv(&token, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&token, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  return MPI_Finalize();
}
