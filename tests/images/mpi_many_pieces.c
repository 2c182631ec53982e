/* More long messages in flight at once than a card has descriptors of memory: each from a separate piece, all announced
 * before the first is received. On 2 ranks. */
#include "tests/images/mpi_check.h"

enum { MESSAGES = 600, BYTES = 32 << 10, APART = 1 << 20 };

static int letter(int message) { return 'a' + message % 26; }

int main(int argc, char** argv) {
  begin(&argc, &argv);
  static MPI_Request requests[MESSAGES];
  static char received[BYTES];
  char* memory = malloc((size_t)MESSAGES * APART); /* pages that are not written take no memory */
  for (int i = 0; i < MESSAGES && rank == 0; ++i) {
    char* piece = memory + (size_t)i * APART;
    memset(piece, letter(i), BYTES);
    MPI_Isend(piece, BYTES, MPI_BYTE, 1, i, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < MESSAGES && rank == 1; ++i) {
    MPI_Recv(received, BYTES, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int wrong = 0;
    for (int j = 0; j < BYTES; ++j) wrong += received[j] != letter(i);
    EXPECT(wrong == 0);
  }
  if (rank == 0) MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
  free(memory);
  return finish();
}
