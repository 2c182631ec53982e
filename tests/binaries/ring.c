/* Passes a number around a ring of ranks, each of which adds a square. */
#include <mpi.h>
#include <stdio.h>

int total;
int squares[5];

static __attribute__((noinline)) int square(int x) {
  int result = x * x;
  return result;
}

__attribute__((noinline)) void fill(int count) {
  for (int i = 0; i < count; ++i) {
    squares[i] = square(i);
    total += squares[i];
  }
}

int main(int argc, char** argv) {
  int rank, ranks, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fill(rank + 2);
  if (rank == 0) {
    MPI_Send(&total, 1, MPI_INT, 1 % ranks, 0, MPI_COMM_WORLD);
    MPI_Recv(&sum, 1, MPI_INT, ranks - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("sum %d\n", sum);
  } else {
    MPI_Recv(&sum, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += total;
    MPI_Send(&sum, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
