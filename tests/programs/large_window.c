/* A window of some MiB, 1 or as the argument says: each rank's neighbour writes and reads words all over it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

enum { PLACES = 64 };

int main(int argc, char** argv) {
  int size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Aint words = (argc > 1 ? atol(argv[1]) : 1L) * (1 << 20) / (MPI_Aint)sizeof(long), step = words / PLACES;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  long put[PLACES], got[PLACES], *memory = NULL;
  MPI_Win window;
  MPI_Win_allocate(words * (MPI_Aint)sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  for (int i = 0; i < PLACES; ++i) {
    put[i] = 100L * rank + i;
    MPI_Put(&put[i], 1, MPI_LONG, right, (i + 1) * step - 1, 1, MPI_LONG, window);
  }
  MPI_Win_fence(0, window);
  for (int i = 0; i < PLACES; ++i) {
    CHECK(memory[(i + 1) * step - 1] == 100L * left + i);
    MPI_Get(&got[i], 1, MPI_LONG, right, (i + 1) * step - 1, 1, MPI_LONG, window);
  }
  MPI_Win_fence(0, window);
  for (int i = 0; i < PLACES; ++i) CHECK(got[i] == put[i]);
  MPI_Win_free(&window);
  if (rank == 0) puts("PASS");
  MPI_Finalize();
  return 0;
}
