/* The MPI calls that are implemented, at any number of ranks, with their data checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/mpi.h"

static int rank, ranks;

static void expect(int good, const char* what) {
  if (good) return;
  char text[128];
  snprintf(text, sizeof text, "rank %d of %d: not so: %s", rank, ranks, what);
  hal_abort(text);
}

static void ring(void) {
  int token = -1;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  MPI_Status status;
  MPI_Request request;
  MPI_Isend(&rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &request);
  MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  expect(token == left && status.MPI_SOURCE == left && status.MPI_TAG == 3 && count == 1, "a ring passes numbers on");
  expect(request == MPI_REQUEST_NULL, "a request that is done is null");
}

static void all_pairs(void) {
  enum { COUNT = 5000 };
  int* out = malloc(COUNT * sizeof *out);
  int* in = malloc((size_t)ranks * COUNT * sizeof *in);
  MPI_Request* requests = malloc(2 * (size_t)ranks * sizeof *requests);
  for (int i = 0; i < COUNT; ++i) out[i] = rank * COUNT + i;
  for (int i = 0; i < ranks; ++i) MPI_Irecv(in + (size_t)i * COUNT, COUNT, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < ranks; ++i) MPI_Isend(out, COUNT, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[ranks + i]);
  MPI_Waitall(2 * ranks, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ranks * COUNT; ++i) expect(in[i] == i, "all to all, itself too");
  free(out);
  free(in);
  free(requests);
}

static void reductions(void) {
  int sum = -1, most = rank * rank, least = 100 - rank;
  double half = 0.5 * rank;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &half, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  expect(sum == ranks * (ranks - 1) / 2, "a sum");
  expect(most == (ranks - 1) * (ranks - 1) && least == 100 - (ranks - 1), "a maximum, a minimum");
  expect(half == 0.25 * ranks * (ranks - 1), "a sum of doubles");
  long many[1000];
  for (int i = 0; i < 1000; ++i) many[i] = i + rank;
  MPI_Allreduce(MPI_IN_PLACE, many, 1000, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 1000; ++i) expect(many[i] == (long)i * ranks + (long)ranks * (ranks - 1) / 2, "a sum of many");
}

static void broadcasts(void) {
  static int data[3000];
  for (int root = 0; root<ranks; root += ranks> 4 ? ranks / 2 + 1 : 1) {
    for (int i = 0; i < 3000; ++i) data[i] = rank == root ? root * 7 + i : -1;
    MPI_Bcast(data, 3000, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < 3000; ++i) expect(data[i] == root * 7 + i, "a broadcast");
  }
}

static void odds_and_ends(void) {
  MPI_Status status;
  int value = 5;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  expect(value == 5 && status.MPI_SOURCE == MPI_PROC_NULL, "no process sends nothing");
  int flag = 1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  expect(!flag, "nothing to probe");
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &request);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  expect(!flag, "a test before the message");
  int seven = 7;
  MPI_Send(&seven, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
  while (!flag) MPI_Test(&request, &flag, &status);
  expect(value == 7 && status.MPI_SOURCE == rank, "spinning in a test gets there");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Send("abc", 4, MPI_CHAR, ranks - 1, 8, MPI_COMM_WORLD);
  }
  if (rank == ranks - 1) {
    MPI_Probe(0, 8, MPI_COMM_WORLD, &status);
    int count = 0;
    char text[4];
    MPI_Get_count(&status, MPI_CHAR, &count);
    MPI_Recv(text, count, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(count == 4 && strcmp(text, "abc") == 0, "a probe tells the count");
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && strcmp(argv[1], "truncate") == 0) {
    char text[8];
    if (rank == 0) MPI_Send("0123456", 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(text, 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (argc > 1 && strcmp(argv[1], "rank") == 0) MPI_Send(&rank, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD);
  ring();
  all_pairs();
  reductions();
  broadcasts();
  odds_and_ends();
  MPI_Finalize();
  if (rank == 0) printf("PASS\n");
  return 0;
}
