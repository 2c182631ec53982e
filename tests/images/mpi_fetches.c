/* Rank 1 receives large messages of rank 0, several at a time, and answers small ones of rank 2 meanwhile. Rank 2
 * prints its longest round trip, in microseconds, for each number of large messages at a time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 8
#define LARGE_BYTES (64 * 1024)
#define ROUNDS 16 /* so that more than 64 are fetched before the last few numbers */

enum { LARGE = 1, SMALL = 2 };

static void send_large(int count, char* data) {
  MPI_Request sends[MOST];
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < count; ++i) MPI_Isend(data, LARGE_BYTES, MPI_CHAR, 1, LARGE, MPI_COMM_WORLD, &sends[i]);
    MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
  }
}

/* Answers 1 when the large messages have come, else 0. */
static void receive_and_answer(int count, char* data) {
  int large = 0, question, done = 0;
  MPI_Request requests[MOST + 1];
  MPI_Irecv(&question, 1, MPI_INT, 2, SMALL, MPI_COMM_WORLD, &requests[count]);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < count; ++i)
      MPI_Irecv(data + i * LARGE_BYTES, LARGE_BYTES, MPI_CHAR, 0, LARGE, MPI_COMM_WORLD, &requests[i]);
    for (large = 0; large < count;) {
      int which;
      MPI_Waitany(count + 1, requests, &which, MPI_STATUS_IGNORE);
      if (which < count) {
        ++large;
        continue;
      }
      MPI_Send(&done, 1, MPI_INT, 2, SMALL, MPI_COMM_WORLD);
      MPI_Irecv(&question, 1, MPI_INT, 2, SMALL, MPI_COMM_WORLD, &requests[count]);
    }
  }
  done = 1;
  MPI_Wait(&requests[count], MPI_STATUS_IGNORE);
  MPI_Send(&done, 1, MPI_INT, 2, SMALL, MPI_COMM_WORLD);
}

static void ask(int count) {
  double worst = 0;
  int asked = 0;
  for (int done = 0; !done; ++asked) {
    const double begin = MPI_Wtime();
    MPI_Send(&asked, 1, MPI_INT, 1, SMALL, MPI_COMM_WORLD);
    MPI_Recv(&done, 1, MPI_INT, 1, SMALL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double took = MPI_Wtime() - begin;
    if (took > worst) worst = took;
  }
  printf("at a time %d asked %d longest %.3f\n", count, asked, worst * 1e6);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* data = malloc(MOST * LARGE_BYTES);
  for (int count = 1; count <= MOST; ++count) {
    if (rank == 0) send_large(count, data);
    if (rank == 1) receive_and_answer(count, data);
    if (rank == 2) ask(count);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
