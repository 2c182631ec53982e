/* A program with a mistake, for docs/time-travel.md: rank 0 fills its buffer again before the send of it has ended. */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 16384, ROUNDS = 3 };

static int buffer[COUNT], received[COUNT];

__attribute__((noinline)) static void fill(int value) {
  for (int i = 0; i < COUNT; ++i) buffer[i] = value;
}

__attribute__((noinline)) static void check(int round) {
  for (int i = 0; i < COUNT; ++i)
    if (received[i] != round) {
      printf("round %d: element %d is %d\n", round, i, received[i]);
      return;
    }
}

static void send_rounds(void) {
  MPI_Request sent;
  for (int round = 1; round <= ROUNDS; ++round) {
    fill(round);
    MPI_Isend(buffer, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &sent);
    fill(round + 1); /* the mistake: the request is not over */
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) send_rounds();
  for (int round = 1; rank == 1 && round <= ROUNDS; ++round) {
    MPI_Recv(received, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(round);
  }
  MPI_Finalize();
  return 0;
}
