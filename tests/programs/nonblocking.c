/* All collective operations started at once, and their argument arrays freed before they complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

static int size;

enum { OPERATIONS = 17 };

static void all_at_once(int count, MPI_Comm comm) {
  const int root = size - 1, ranks_sum = size * (size - 1) / 2;
  int *own = malloc((size_t)(count * size) * sizeof *own), *in[OPERATIONS];
  int *counts = malloc((size_t)size * sizeof *counts), *at = malloc((size_t)size * sizeof *at),
      *byte = malloc((size_t)size * sizeof *byte), n = 0;
  MPI_Datatype* types = malloc((size_t)size * sizeof(MPI_Datatype));
  MPI_Request requests[OPERATIONS];
  for (int i = 0; i < OPERATIONS; ++i) in[i] = calloc((size_t)(count * size), sizeof **in);
  for (int i = 0; i < count * size; ++i) own[i] = 11 * rank + i;
  for (int i = 0; i < count; ++i) in[1][i] = own[i];
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    byte[i] = (int)sizeof(int) * (at[i] = i * count);
    types[i] = MPI_INT;
  }
  MPI_Ibarrier(comm, &requests[n++]);
  MPI_Ibcast(in[n], count, MPI_INT, root, comm, &requests[n]), ++n;
  MPI_Igather(own, count, MPI_INT, in[n], count, MPI_INT, root, comm, &requests[n]), ++n;
  MPI_Igatherv(own, count, MPI_INT, in[n], counts, at, MPI_INT, root, comm, &requests[n]), ++n;
  MPI_Iscatter(own, count, MPI_INT, in[n], count, MPI_INT, root, comm, &requests[n]), ++n;
  MPI_Iscatterv(own, counts, at, MPI_INT, in[n], count, MPI_INT, root, comm, &requests[n]), ++n;
  MPI_Iallgather(own, count, MPI_INT, in[n], count, MPI_INT, comm, &requests[n]), ++n;
  MPI_Iallgatherv(own, count, MPI_INT, in[n], counts, at, MPI_INT, comm, &requests[n]), ++n;
  MPI_Ialltoall(own, count, MPI_INT, in[n], count, MPI_INT, comm, &requests[n]), ++n;
  MPI_Ialltoallv(own, counts, at, MPI_INT, in[n], counts, at, MPI_INT, comm, &requests[n]), ++n;
  MPI_Ialltoallw(own, counts, byte, types, in[n], counts, byte, types, comm, &requests[n]), ++n;
  MPI_Ireduce(own, in[n], count, MPI_INT, MPI_SUM, root, comm, &requests[n]), ++n;
  MPI_Iallreduce(own, in[n], count, MPI_INT, MPI_SUM, comm, &requests[n]), ++n;
  MPI_Ireduce_scatter(own, in[n], counts, MPI_INT, MPI_SUM, comm, &requests[n]), ++n;
  MPI_Ireduce_scatter_block(own, in[n], count, MPI_INT, MPI_SUM, comm, &requests[n]), ++n;
  MPI_Iscan(own, in[n], count, MPI_INT, MPI_SUM, comm, &requests[n]), ++n;
  MPI_Iexscan(own, in[n], count, MPI_INT, MPI_SUM, comm, &requests[n]), ++n;
  CHECK(n == OPERATIONS);
  free(counts);
  free(at);
  free(byte);
  free(types);
  MPI_Waitall(OPERATIONS, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) {
    const int slice = 11 * ranks_sum + size * (rank * count + i);
    CHECK(in[1][i] == 11 * root + i);
    CHECK(in[4][i] == 11 * root + rank * count + i && in[5][i] == in[4][i]);
    CHECK(in[12][i] == 11 * ranks_sum + size * i && (rank != root || in[11][i] == in[12][i]));
    CHECK(in[13][i] == slice && in[14][i] == slice);
    CHECK(in[15][i] == 11 * rank * (rank + 1) / 2 + (rank + 1) * i);
    CHECK(in[16][i] == (rank > 0 ? in[15][i] - own[i] : 0));
    for (int r = 0; r < size; ++r) {
      const int j = r * count + i;
      CHECK(rank != root || (in[2][j] == 11 * r + i && in[3][j] == in[2][j]));
      CHECK(in[6][j] == 11 * r + i && in[7][j] == in[6][j]);
      CHECK(in[8][j] == 11 * r + rank * count + i && in[9][j] == in[8][j] && in[10][j] == in[8][j]);
    }
  }
  for (int i = 0; i < OPERATIONS; ++i) free(in[i]);
  free(own);
}

/* A barrier that completes while the wait checks it together with a receive that completes only later. The time of the
 * check differs by round; the barrier of two ranks is one round of messages. */
static void while_one_waits(void) {
  enum { ROUNDS = 2000, STEP_NS = 5 };
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Request requests[2];
    int index, word = -1;
    MPI_Barrier(pair);
    MPI_Ibarrier(pair, &requests[0]);
    MPI_Irecv(&word, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &requests[1]);
    if (rank % 2 == 0) nanosleep(&(struct timespec){.tv_nsec = round * STEP_NS}, NULL);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == 0);
    MPI_Send(&round, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    CHECK(word == round);
  }
  MPI_Comm_free(&pair);
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  all_at_once(1, MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  all_at_once(700, comm);
  MPI_Comm_free(&comm);
  while_one_waits();
  if (rank == 0) printf("PASS nonblocking on %d ranks\n", size);
  return MPI_Finalize();
}
