/* Whether MPI gives the right results on any card and network: sums over all ranks, an exchange with both neighbours,
 * and many messages of falling size at once to a distant rank, which must arrive in the order in which they were sent.
 */
#include "tests/images/mpi_check.h"

#define MOST 6000 /* bytes: several packets of every card */
#define BURST 24

static void sums(void) {
  for (int count = 1; count <= 64; count *= 8) {
    int own[64], sum[64];
    for (int i = 0; i < count; ++i) own[i] = rank * (i + 1);
    EXPECT(MPI_Allreduce(own, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < count; ++i) EXPECT(sum[i] == ranks * (ranks - 1) / 2 * (i + 1));
  }
}

static void neighbours(void) {
  static unsigned char out[MOST], in[MOST];
  for (int size = 1; size <= MOST; size *= 18) {
    fill(out, (size_t)size, rank, size);
    EXPECT(MPI_Sendrecv(out, size, MPI_BYTE, right, 1, in, size, MPI_BYTE, left, 1, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE) == MPI_SUCCESS);
    EXPECT(is_filled(in, (size_t)size, left, size));
  }
}

/* The same tag for all: only their order tells them apart. */
static void bursts(void) {
  static unsigned char out[BURST][MOST / 4], in[BURST][MOST / 4];
  const int distance = ranks / 2, to = (rank + distance) % ranks, from = (rank + ranks - distance) % ranks;
  MPI_Request requests[2 * BURST];
  for (int i = 0; i < BURST; ++i)
    EXPECT(MPI_Irecv(in[i], MOST / 4, MPI_BYTE, from, 2, MPI_COMM_WORLD, &requests[i]) == MPI_SUCCESS);
  for (int i = 0; i < BURST; ++i) {
    const int size = MOST / 4 - i * (MOST / 4 / BURST);
    fill(out[i], (size_t)size, rank, i);
    EXPECT(MPI_Isend(out[i], size, MPI_BYTE, to, 2, MPI_COMM_WORLD, &requests[BURST + i]) == MPI_SUCCESS);
  }
  EXPECT(MPI_Waitall(2 * BURST, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < BURST; ++i) EXPECT(is_filled(in[i], (size_t)(MOST / 4 - i * (MOST / 4 / BURST)), from, i));
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  sums();
  neighbours();
  bursts();
  return finish();
}
