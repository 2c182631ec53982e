/* Requests as test suites use them: persistent ones of all modes, started together, freed while they are under way;
 * looks that leave a request as it is; cancelled receives; probes with MPI_ANY_SOURCE. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MODES = 4, WORDS = 3000, ROUNDS = 3 };
static int size;

static void all_modes(void) {
  static int out[MODES][WORDS], in[MODES][WORDS];
  const int left = (rank + size - 1) % size, right = (rank + 1) % size, bytes = WORDS * (int)sizeof(int);
  const int room = ROUNDS * (bytes + MPI_BSEND_OVERHEAD);
  void *buffer = malloc(room), *back;
  int length, flag, done, indices[2 * MODES], seen;
  MPI_Request requests[2 * MODES];
  MPI_Status statuses[2 * MODES];
  MPI_Buffer_attach(buffer, room);
  for (int m = 0; m < MODES; ++m)
    MPI_Recv_init(in[m], WORDS, MPI_INT, m == 1 ? MPI_ANY_SOURCE : left, m, MPI_COMM_WORLD, &requests[m]);
  MPI_Send_init(out[0], WORDS, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[MODES]);
  MPI_Ssend_init(out[1], WORDS, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[MODES + 1]);
  MPI_Rsend_init(out[2], WORDS, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[MODES + 2]);
  MPI_Bsend_init(out[3], WORDS, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[MODES + 3]);
  for (int i = 0; i < 2 * MODES; ++i) { /* inactive: done at once, with an empty status */
    MPI_Test(&requests[i], &flag, &statuses[i]);
    CHECK(flag && requests[i] != MPI_REQUEST_NULL && statuses[i].MPI_SOURCE == MPI_ANY_SOURCE);
  }
  MPI_Waitany(2 * MODES, requests, &done, statuses);
  CHECK(done == MPI_UNDEFINED);
  for (int round = 0; round < ROUNDS; ++round) {
    memset(in, -1, sizeof in);
    for (int m = 0; m < MODES; ++m)
      for (int i = 0; i < WORDS; ++i) out[m][i] = ((rank * ROUNDS + round) * MODES + m) * WORDS + i;
    MPI_Startall(MODES, requests);
    MPI_Barrier(MPI_COMM_WORLD); /* for the ready ones */
    MPI_Startall(MODES, requests + MODES);
    if (round == 0) MPI_Waitall(2 * MODES, requests, statuses);
    for (seen = 0; round == 1 && seen < 2 * MODES; seen += done)
      MPI_Waitsome(2 * MODES, requests, &done, indices, statuses);
    for (flag = 0; round == 2 && !flag;) MPI_Testall(2 * MODES, requests, &flag, statuses);
    for (int m = 0; m < MODES; ++m) {
      if (round != 1) CHECK(statuses[m].MPI_SOURCE == left && statuses[m].MPI_TAG == m);
      for (int i = 0; i < WORDS; ++i) CHECK(in[m][i] == ((left * ROUNDS + round) * MODES + m) * WORDS + i);
    }
  }
  /* Freed while they are under way. */
  memset(in, -1, sizeof in);
  MPI_Startall(MODES, requests);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Startall(MODES, requests + MODES);
  for (int i = MODES; i < 2 * MODES; ++i) MPI_Request_free(&requests[i]);
  MPI_Waitall(MODES, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MODES; ++i) MPI_Request_free(&requests[i]);
  for (int m = 0; m < MODES; ++m) CHECK(in[m][WORDS - 1] == ((left * ROUNDS + ROUNDS - 1) * MODES + m + 1) * WORDS - 1);
  MPI_Buffer_detach(&back, &length);
  CHECK(back == buffer && length == room);
  free(buffer);
}

static void looks(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  int in = -1, flag, count;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Request_get_status(request, &flag, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, right, 44, MPI_COMM_WORLD);
  do MPI_Request_get_status(request, &flag, &status);
  while (!flag);
  for (int again = 0; again < 2; ++again) {
    MPI_Request_get_status(request, &flag, &status);
    CHECK(flag && request != MPI_REQUEST_NULL && status.MPI_SOURCE == left && status.MPI_TAG == 44 && in == left);
  }
  MPI_Test(&request, &flag, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(flag && request == MPI_REQUEST_NULL && count == 1);
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE);
  CHECK(flag);
}

/* Receives without a send are cancelled among others that complete. */
static void cancelled(void) {
  enum { MANY = 10 };
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  int in[MANY], flag;
  MPI_Request requests[MANY], persistent;
  MPI_Status statuses[MANY], status;
  for (int i = 0; i < MANY; ++i) MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < MANY; i += 2) MPI_Send(&i, 1, MPI_INT, right, i, MPI_COMM_WORLD);
  for (int i = 1; i < MANY; i += 2) MPI_Cancel(&requests[i]);
  MPI_Waitall(MANY, requests, statuses);
  for (int i = 0; i < MANY; ++i) {
    MPI_Test_cancelled(&statuses[i], &flag);
    CHECK(flag == i % 2 && (flag || in[i] == i));
  }
  MPI_Recv_init(in, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &persistent);
  for (int round = 0; round < 2; ++round) {
    MPI_Start(&persistent);
    MPI_Cancel(&persistent);
    MPI_Wait(&persistent, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag && persistent != MPI_REQUEST_NULL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&persistent); /* and one that comes */
  MPI_Send(&rank, 1, MPI_INT, right, 99, MPI_COMM_WORLD);
  MPI_Wait(&persistent, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(!flag && in[0] == left);
  MPI_Request_free(&persistent);
}

/* Rank 0 receives what it has probed with MPI_ANY_SOURCE, of any length. */
static void probes(void) {
  enum { EACH = 6 };
  int* data = calloc(size * 37 + EACH * 211, sizeof *data);
  for (int i = 0; i < EACH && rank > 0; ++i) {
    const int words = rank * 37 + i * 211;
    for (int k = 0; k < words; ++k) data[k] = rank + i;
    MPI_Send(data, words, MPI_INT, 0, i, MPI_COMM_WORLD);
  }
  int* next = calloc(size, sizeof *next);
  for (int left = EACH * (size - 1); rank == 0 && left > 0; --left) {
    MPI_Status status;
    int count, flag = 1;
    if (left % 2)
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    else
      do MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      while (!flag);
    MPI_Get_count(&status, MPI_INT, &count);
    const int from = status.MPI_SOURCE, tag = status.MPI_TAG;
    CHECK(tag == next[from]++ && count == from * 37 + tag * 211);
    int* room = malloc((count + 1) * sizeof *room);
    MPI_Recv(room, count, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(count == 0 || (room[0] == from + tag && room[count - 1] == from + tag));
    free(room);
  }
  free(next);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  all_modes();
  looks();
  cancelled();
  probes();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS persistent on %d ranks\n", size);
  return MPI_Finalize();
}
