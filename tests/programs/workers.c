/* A master hands tasks to the ranks that are ready; then an exchange in which no rank knows its senders, which ends by
 * a nonblocking barrier that a rank enters once its messages have been received. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

enum { TASKS = 100, WORK = 1, STOP, RESULT, SPARSE };
static int size;

static void master(void) {
  long sum = 0, result;
  int next = 0, busy = 0;
  MPI_Status status;
  for (int worker = 1; worker < size; ++worker, ++busy, ++next)
    MPI_Send(&next, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);
  while (busy > 0) {
    MPI_Recv(&result, 1, MPI_LONG, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
    sum += result;
    const int more = next < TASKS;
    MPI_Send(&next, more, MPI_INT, status.MPI_SOURCE, more ? WORK : STOP, MPI_COMM_WORLD);
    next += more;
    busy -= !more;
  }
  CHECK(sum == 328350); /* squares of 0 to 99 */
}

static void worker(void) {
  MPI_Status status;
  for (int task; MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status), status.MPI_TAG == WORK;) {
    volatile double wasted = 0; /* tasks are of different lengths */
    for (int i = 0; i < task * 100; ++i) wasted += i;
    const long result = (long)task * task;
    MPI_Send(&result, 1, MPI_LONG, 0, RESULT, MPI_COMM_WORLD);
  }
}

static int sends_to(int from, int to) { return (from * 7 + to * 3) % 4 == 0; }

static void sparse(void) {
  MPI_Request *sends = malloc(size * sizeof *sends), barrier = MPI_REQUEST_NULL;
  int *out = malloc(size * sizeof *out), count = 0, got = 0, expected = 0, flag, in, over = 0;
  MPI_Status status;
  for (int r = 0; r < size; ++r) {
    expected += sends_to(r, rank);
    if (!sends_to(rank, r)) continue;
    out[count] = rank * 100 + r;
    MPI_Issend(&out[count], 1, MPI_INT, r, SPARSE, MPI_COMM_WORLD, &sends[count]);
    ++count;
  }
  while (!over) {
    MPI_Iprobe(MPI_ANY_SOURCE, SPARSE, MPI_COMM_WORLD, &flag, &status);
    if (flag) {
      MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, SPARSE, MPI_COMM_WORLD, &status);
      CHECK(in == status.MPI_SOURCE * 100 + rank);
      ++got;
    }
    if (barrier == MPI_REQUEST_NULL) {
      MPI_Testall(count, sends, &flag, MPI_STATUSES_IGNORE);
      if (flag) MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    } else {
      MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
    }
  }
  CHECK(got == expected);
  free(sends), free(out);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0)
    worker();
  else if (size > 1)
    master();
  sparse();
  if (rank == 0) printf("PASS workers on %d ranks\n", size);
  return MPI_Finalize();
}
