/* Programs for messages.py, which compile unchanged with sanvp-cc and with other simulators' compilers: MPI-1 only.
 *
 * usage: messages pingpong|halo|pairwise|alltoall|allreduce BYTES COUNT
 *
 *   pingpong   ranks 0 and 1, COUNT round trips
 *   halo       every rank with its four neighbours on a torus, COUNT times
 *   pairwise   every rank with every other, one partner at a time, by MPI_Sendrecv, COUNT times
 *   alltoall   the same by MPI_Alltoall, with the algorithm that the library chooses
 *   allreduce  of BYTES / 4 integers, COUNT times
 *
 * What arrives is checked in its first and last byte. Rank 0 prints how many messages there were, where that is known.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, bytes, count;

static char* buffer(int pieces) { return calloc((size_t)pieces * bytes + 1, 1); }

static void fail(const char* what) {
  fprintf(stderr, "messages: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void stamp(char* piece, int sender, int turn) {
  if (bytes == 0) return;
  piece[0] = (char)(sender + turn);
  piece[bytes - 1] = (char)(sender + turn);
}

static void check(const char* piece, int sender, int turn) {
  if (bytes > 0 && (piece[0] != (char)(sender + turn) || piece[bytes - 1] != (char)(sender + turn))) fail("wrong data");
}

static double pingpong(void) {
  char *out = buffer(1), *in = buffer(1);
  for (int turn = 0; rank < 2 && turn < count; ++turn) {
    stamp(out, rank, turn);
    if (rank == 0) MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    check(in, 1 - rank, turn);
  }
  return 2.0 * count;
}

static double halo(void) {
  enum { neighbours = 4 };
  int sides[2] = {0, 0}, periods[2] = {1, 1}, partner[neighbours];
  MPI_Comm torus;
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &torus);
  for (int axis = 0; axis < 2; ++axis) MPI_Cart_shift(torus, axis, 1, &partner[2 * axis], &partner[2 * axis + 1]);
  char *out = buffer(neighbours), *in = buffer(neighbours);
  MPI_Request requests[2 * neighbours];
  for (int turn = 0; turn < count; ++turn) {
    for (int i = 0; i < neighbours; ++i)
      MPI_Irecv(in + i * bytes, bytes, MPI_BYTE, partner[i], i ^ 1, torus, &requests[i]);
    for (int i = 0; i < neighbours; ++i) {
      stamp(out + i * bytes, rank, turn);
      MPI_Isend(out + i * bytes, bytes, MPI_BYTE, partner[i], i, torus, &requests[neighbours + i]);
    }
    MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < neighbours; ++i) check(in + i * bytes, partner[i], turn);
  }
  return 4.0 * ranks * count;
}

static double pairwise(void) {
  char *out = buffer(1), *in = buffer(1);
  for (int turn = 0; turn < count; ++turn) {
    stamp(out, rank, turn);
    for (int step = 1; step < ranks; ++step) {
      const int to = (rank + step) % ranks, from = (rank - step + ranks) % ranks;
      MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check(in, from, turn);
    }
  }
  return (double)ranks * (ranks - 1) * count;
}

static double alltoall(void) {
  char *out = buffer(ranks), *in = buffer(ranks);
  for (int turn = 0; turn < count; ++turn) {
    for (int i = 0; i < ranks; ++i) stamp(out + (size_t)i * bytes, rank, turn);
    MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) check(in + (size_t)i * bytes, i, turn);
  }
  return (double)ranks * (ranks - 1) * count;
}

static double allreduce(void) {
  const int length = bytes / (int)sizeof(int);
  int* values = calloc((size_t)length + 1, sizeof *values);
  for (int turn = 0; turn < count; ++turn) {
    for (int i = 0; i < length; ++i) values[i] = rank;
    MPI_Allreduce(MPI_IN_PLACE, values, length, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < length; ++i)
      if (values[i] != ranks * (ranks - 1) / 2) fail("wrong sum");
  }
  return 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    double (*run)(void);
  } patterns[] = {
      {"pingpong", pingpong}, {"halo", halo}, {"pairwise", pairwise}, {"alltoall", alltoall}, {"allreduce", allreduce}};
  MPI_Init(&argc, &argv);
  if (argc != 4) fail("usage: messages pingpong|halo|pairwise|alltoall|allreduce BYTES COUNT");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bytes = atoi(argv[2]);
  count = atoi(argv[3]);
  double (*run)(void) = NULL;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i)
    if (strcmp(patterns[i].name, argv[1]) == 0) run = patterns[i].run;
  if (!run) fail("no such pattern");
  const double begin = MPI_Wtime();
  const double messages = run();
  const double seconds = MPI_Wtime() - begin;
  if (rank == 0) printf("messages %.0f simulated_us %.3f\n", messages, seconds * 1e6);
  MPI_Finalize();
  return 0;
}
