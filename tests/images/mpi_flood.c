/* More messages than their receiver keeps: all send to rank 0 at once, which computes first and then takes them from
 * the last to the first. Or, `both`: two ranks wait for each other to receive, for ever. */
#include "tests/images/mpi_check.h"

#define MESSAGES 200
#define BYTES 2000
#define COMPUTE_PS 2000000000u /* 2 ms */

static void flood(void) {
  char* all = malloc((size_t)MESSAGES * BYTES);
  MPI_Request requests[MESSAGES];
  for (int i = 0; i < MESSAGES; ++i) {
    fill(all + (size_t)i * BYTES, BYTES, rank, i);
    MPI_Isend(all + (size_t)i * BYTES, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  free(all);
}

static void take(void) {
  char bytes[BYTES];
  hal_compute_ps(COMPUTE_PS);
  for (int i = MESSAGES - 1; i >= 0; --i)
    for (int from = 1; from < ranks; ++from) {
      MPI_Recv(bytes, BYTES, MPI_BYTE, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      EXPECT(is_filled(bytes, BYTES, from, i));
    }
}

static void both(void) {
  static char out[65536], in[65536];
  MPI_Ssend(out, sizeof out, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(in, sizeof in, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc > 1 && strcmp(argv[1], "both") == 0)
    both();
  else if (rank == 0)
    take();
  else
    flood();
  return finish();
}
