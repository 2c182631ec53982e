/* MPI_Waitany of a collective operation that ends while the library, in the middle of its wait, handles other
 * operations: one of these then has the slot of the ended one. Rank 2 is busy with a long sum when a broadcast and a
 * barrier round arrive; the barrier ends only when rank 2 has told rank 5 that it has the broadcast. With
 * mpi.barrier=tree and mpi.reduce=binomial, on 8 ranks. */
#include "tests/images/mpi_check.h"

enum { WAITS = 2, SUMS = 3, ROOT = 1, LATE = 5, ELEMENTS = 1 << 20 };

static void tell(int to) { MPI_Send(&to, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static void hear(int from) {
  int heard;
  MPI_Recv(&heard, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank == WAITS || rank == SUMS ? 0 : MPI_UNDEFINED, rank, &pair);
  int *own = calloc(ELEMENTS, sizeof *own), *sum = calloc(ELEMENTS, sizeof *sum), value = rank, answer = 0, first = -1;
  MPI_Request reduction = MPI_REQUEST_NULL, barrier, some[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Barrier(MPI_COMM_WORLD);
  if (pair != MPI_COMM_NULL) MPI_Ireduce(own, sum, ELEMENTS, MPI_INT, MPI_SUM, 0, pair, &reduction);
  if (rank == SUMS) {
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    tell(ROOT);
  }
  if (rank == ROOT) hear(SUMS);
  if (rank == LATE) hear(WAITS);
  MPI_Ibcast(&value, 1, MPI_INT, ROOT, MPI_COMM_WORLD, &some[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  if (rank == WAITS) {
    MPI_Irecv(&answer, 1, MPI_INT, LATE, 0, MPI_COMM_WORLD, &some[1]);
    MPI_Waitany(2, some, &first, MPI_STATUS_IGNORE);
    EXPECT(first == 0 && value == ROOT);
    tell(LATE);
  }
  if (rank == LATE) tell(WAITS);
  MPI_Waitall(2, some, MPI_STATUSES_IGNORE);
  MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  MPI_Wait(&reduction, MPI_STATUS_IGNORE);
  EXPECT(value == ROOT);
  free(own);
  free(sum);
  return finish();
}
