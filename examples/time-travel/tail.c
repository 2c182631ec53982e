/* A program without a mistake, for docs/time-travel.md: firmware with one leaves out the end of its message. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 1003 };

static char text[BYTES];

__attribute__((noinline)) static void check(void) {
  for (int i = 0; i < BYTES; ++i)
    if (text[i] != 'x') {
      printf("byte %d of %d is missing\n", i, BYTES);
      return;
    }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    memset(text, 'x', BYTES);
    MPI_Send(text, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(text, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check();
  }
  MPI_Finalize();
  return 0;
}
