/* Rank 0 receives from any process when the last one's node dies. The receive ends with an error, so a message that
 * comes later belongs to the next receive. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#define LATER_us 300000 /* of simulated time: the death is known */

int main(int argc, char** argv) {
  int rank, size, value = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == size - 1) sleep(100);
  if (rank == 0) {
    int first = 0, second = 0;
    const int ended = MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%s: the first buffer has %d, the second %d\n", ended ? "told" : "received", first, second);
  } else {
    usleep(LATER_us);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  return 0;
}
