/* A wavefront: each cell is the sum of its three neighbours above and to the left; columns are distributed over the
 * ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELL(i, j) cells[(size_t)(i) * (width + 1) + (j)]

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int iterations = argc > 1 ? atoi(argv[1]) : 3;
  const long m = argc > 2 ? atol(argv[2]) : 130, n = 60;
  if (m < size && rank == 0) fprintf(stderr, "ERROR: first grid dimension %ld < number of ranks %d\n", m, size);
  if (m < size) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  long width = m / size, first = rank * width + (rank < m % size ? rank : m % size);
  if (rank < m % size) ++width;
  /* Column 0 holds the values from the rank to the left. */
  double* cells = calloc((size_t)n * (width + 1), sizeof *cells);
  for (long j = 0; j < width; ++j) CELL(0, j + 1) = (double)(first + j);
  for (long i = 0; i < n && rank == 0; ++i) CELL(i, 1) = (double)i;
  if (rank > 0) CELL(0, 0) = (double)(first - 1);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (long i = 1; i < n; ++i) {
      if (rank > 0) MPI_Recv(&CELL(i, 0), 1, MPI_DOUBLE, rank - 1, (int)i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (long j = rank == 0 ? 2 : 1; j <= width; ++j)
        CELL(i, j) = CELL(i - 1, j) + CELL(i, j - 1) - CELL(i - 1, j - 1);
      if (rank < size - 1) MPI_Send(&CELL(i, width), 1, MPI_DOUBLE, rank + 1, (int)i, MPI_COMM_WORLD);
    }
    /* The last corner's value, with its sign changed, is the next iteration's first. */
    if (size == 1) {
      CELL(0, 1) = -CELL(n - 1, width);
    } else if (rank == size - 1) {
      double corner = -CELL(n - 1, width);
      MPI_Send(&corner, 1, MPI_DOUBLE, 0, 888, MPI_COMM_WORLD);
    } else if (rank == 0) {
      MPI_Recv(&CELL(0, 1), 1, MPI_DOUBLE, size - 1, 888, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  int good = 1;
  if (rank == size - 1) {
    const double expected = (double)iterations * (double)(m + n - 2);
    good = CELL(n - 1, width) == expected;
    if (!good) printf("ERROR: checksum %f does not match verification value %f\n", CELL(n - 1, width), expected);
  }
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", good ? "PASS" : "FAIL");
  MPI_Finalize();
  return !good;
}
