/* Ranks whose partner, the last rank, is on a node that no longer answers: each call that waits for it must return an
 * error or end the job. The argument selects the call; with "return" errors are returned and checked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG (1 << 16) /* words: too many to be sent before they are received */

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, error = MPI_SUCCESS;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argc > 1 ? argv[1] : "recv";
  const int returns = argc > 2 && strcmp(argv[2], "return") == 0;
  if (returns) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int dead = size - 1;
  static int words[LONG], others[LONG];
  if (rank != dead) {
    if (strcmp(what, "recv") == 0) {
      error = MPI_Recv(words, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "any") == 0) {
      error = MPI_Recv(words, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "wait") == 0) {
      MPI_Request request;
      MPI_Isend(words, LONG, MPI_INT, dead, 0, MPI_COMM_WORLD, &request);
      error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(what, "barrier") == 0) {
      error = MPI_Barrier(MPI_COMM_WORLD);
    } else {
      error = MPI_Allreduce(words, others, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  if (returns && rank != dead) {
    char text[MPI_MAX_ERROR_STRING];
    int length, kind;
    if (error == MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Error_class(error, &kind);
    MPI_Error_string(error, text, &length);
    printf("class %d: %s\n", kind == MPI_ERR_OTHER, text);
    fflush(stdout);
    int sum = 0, one = 1;
    if (rank < 2) /* the living ranks continue */
      MPI_Sendrecv(&one, 1, MPI_INT, 1 - rank, 1, &sum, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < 2 && sum == 1) printf("goes on\n");
    fflush(stdout);
    if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
