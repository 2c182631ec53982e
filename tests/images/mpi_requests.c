/* Requests of MPI: waiting and testing for one, any, some, all; persistent, cancelled, freed ones; many. */
#include "tests/images/mpi_check.h"

enum { MANY = 100, WORDS = 50 };
static int out[MANY][WORDS], in[MANY][WORDS];

static void expect_received(int i) {
  for (int k = 0; k < WORDS; ++k) EXPECT(in[i][k] == left * 100000 + i * 100 + k);
}

/* `count` receives posted, and as many sends, from the last to the first. */
static void start(int count, MPI_Request* receives, MPI_Request* sends) {
  memset(in, 0, sizeof in);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < WORDS; ++k) out[i][k] = rank * 100000 + i * 100 + k;
    MPI_Irecv(in[i], WORDS, MPI_INT, left, i, MPI_COMM_WORLD, &receives[i]);
  }
  for (int i = count - 1; i >= 0; --i) MPI_Isend(out[i], WORDS, MPI_INT, right, i, MPI_COMM_WORLD, &sends[i]);
}

static void many_at_once(void) {
  MPI_Request receives[MANY], sends[MANY];
  MPI_Status statuses[MANY];
  start(MANY, receives, sends);
  EXPECT(MPI_Waitall(MANY, receives, statuses) == MPI_SUCCESS);
  MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < MANY; ++i) {
    EXPECT(statuses[i].MPI_TAG == i && statuses[i].MPI_SOURCE == left && count_of(&statuses[i], MPI_INT) == WORDS);
    EXPECT(receives[i] == MPI_REQUEST_NULL);
    expect_received(i);
  }
}

static void wait_any(void) {
  MPI_Request receives[MANY], sends[MANY];
  char seen[MANY] = {0};
  start(MANY, receives, sends);
  for (int n = 0; n < MANY; ++n) {
    MPI_Status status;
    int index = -1;
    MPI_Waitany(MANY, receives, &index, &status);
    EXPECT(index >= 0 && index < MANY && !seen[index] && status.MPI_TAG == index);
    EXPECT(receives[index] == MPI_REQUEST_NULL);
    seen[index] = 1;
    expect_received(index);
  }
  int index = 0;
  MPI_Status status;
  MPI_Waitany(MANY, receives, &index, &status);
  EXPECT(index == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE && count_of(&status, MPI_INT) == 0);
  MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE);
  EXPECT(index == MPI_UNDEFINED);
  MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
}

/* Only the last of a hundred will complete. */
static void wait_any_for_the_last(void) {
  MPI_Request requests[MANY];
  for (int i = 0; i < MANY; ++i) MPI_Irecv(in[i], WORDS, MPI_INT, left, 500 + i, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(out[0], 1, MPI_INT, right, 500 + MANY - 1, MPI_COMM_WORLD);
  int index = -1;
  MPI_Waitany(MANY, requests, &index, MPI_STATUS_IGNORE);
  EXPECT(index == MANY - 1);
  if (rank != 0) MPI_Send(out[0], 1, MPI_INT, right, 500 + MANY - 1, MPI_COMM_WORLD);
  for (int i = 0; i < MANY - 1; ++i) {
    MPI_Status status;
    int flag = 0;
    MPI_Cancel(&requests[i]);
    MPI_Wait(&requests[i], &status);
    MPI_Test_cancelled(&status, &flag);
    EXPECT(flag && requests[i] == MPI_REQUEST_NULL);
  }
}

static void wait_some(int test) {
  MPI_Request receives[MANY], sends[MANY];
  MPI_Status statuses[MANY];
  int indices[MANY], done = 0, all = 0;
  char seen[MANY] = {0};
  start(MANY, receives, sends);
  while (all < MANY) {
    if (test)
      MPI_Testsome(MANY, receives, &done, indices, statuses);
    else
      MPI_Waitsome(MANY, receives, &done, indices, statuses);
    EXPECT(done >= !test && done <= MANY - all);
    for (int n = 0; n < done; ++n) {
      const int i = indices[n];
      EXPECT(!seen[i] && statuses[n].MPI_TAG == i && receives[i] == MPI_REQUEST_NULL);
      seen[i] = 1;
      expect_received(i);
    }
    all += done;
  }
  if (test)
    MPI_Testsome(MANY, receives, &done, indices, statuses);
  else
    MPI_Waitsome(MANY, receives, &done, indices, statuses);
  EXPECT(done == MPI_UNDEFINED);
  MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE);
}

/* Polling takes simulated time, or no message would ever come. */
static void tests(void) {
  MPI_Request receives[MANY], sends[MANY];
  MPI_Status statuses[MANY];
  int flag = 1, index = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(in[0], WORDS, MPI_INT, left, 900, MPI_COMM_WORLD, &receives[0]);
  const double before = MPI_Wtime();
  MPI_Testall(1, receives, &flag, statuses);
  EXPECT(!flag && receives[0] != MPI_REQUEST_NULL);
  MPI_Testany(1, receives, &index, &flag, statuses);
  EXPECT(!flag && index == MPI_UNDEFINED);
  MPI_Request_get_status(receives[0], &flag, statuses);
  EXPECT(!flag && MPI_Wtime() > before);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(out[0], WORDS, MPI_INT, right, 900, MPI_COMM_WORLD, &sends[0]);
  while (!flag) MPI_Request_get_status(receives[0], &flag, statuses);
  EXPECT(receives[0] != MPI_REQUEST_NULL && statuses[0].MPI_SOURCE == left);
  EXPECT(count_of(statuses, MPI_INT) == WORDS);
  MPI_Testany(1, receives, &index, &flag, statuses);
  EXPECT(flag && index == 0 && receives[0] == MPI_REQUEST_NULL && statuses[0].MPI_TAG == 900);
  MPI_Testany(1, receives, &index, &flag, statuses);
  EXPECT(flag && index == MPI_UNDEFINED);
  MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
  start(MANY, receives, sends);
  for (flag = 0; !flag;) MPI_Testall(MANY, receives, &flag, statuses);
  for (int i = 0; i < MANY; ++i) expect_received(i);
  for (flag = 0; !flag;) MPI_Testall(MANY, sends, &flag, MPI_STATUSES_IGNORE);
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  EXPECT(flag);
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Wait(&none, statuses);
  EXPECT(statuses[0].MPI_SOURCE == MPI_ANY_SOURCE && statuses[0].MPI_TAG == MPI_ANY_TAG);
}

static void persistent(void) {
  MPI_Request requests[4];
  MPI_Status status;
  int index = 0, flag = 0, word = 0, other = 0, mine = rank;
  char room[100 + MPI_BSEND_OVERHEAD];
  void* detached;
  MPI_Buffer_attach(room, sizeof room);
  MPI_Recv_init(in[0], WORDS, MPI_INT, left, 40, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out[0], WORDS, MPI_INT, right, 40, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv_init(&word, 1, MPI_INT, MPI_ANY_SOURCE, 41, MPI_COMM_WORLD, &requests[2]);
  MPI_Ssend_init(&mine, 1, MPI_INT, right, 41, MPI_COMM_WORLD, &requests[3]);
  MPI_Wait(&requests[0], &status); /* inactive: like a null request */
  EXPECT(requests[0] != MPI_REQUEST_NULL && status.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Waitany(4, requests, &index, &status);
  EXPECT(index == MPI_UNDEFINED);
  for (int round = 0; round < 5; ++round) {
    memset(in[0], 0, sizeof in[0]);
    for (int k = 0; k < WORDS; ++k) out[0][k] = rank * 1000 + round * 100 + k;
    mine = rank + round;
    MPI_Startall(4, requests);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < WORDS; ++k) EXPECT(in[0][k] == left * 1000 + round * 100 + k);
    EXPECT(word == left + round);
    for (int i = 0; i < 4; ++i) EXPECT(requests[i] != MPI_REQUEST_NULL);
  }
  for (int i = 0; i < 4; ++i) {
    MPI_Request_free(&requests[i]);
    EXPECT(requests[i] == MPI_REQUEST_NULL);
  }
  MPI_Recv_init(&other, 1, MPI_INT, left, 42, MPI_COMM_WORLD, &requests[0]);
  MPI_Bsend_init(&mine, 1, MPI_INT, right, 42, MPI_COMM_WORLD, &requests[1]);
  MPI_Rsend_init(&mine, 1, MPI_INT, right, 43, MPI_COMM_WORLD, &requests[2]);
  MPI_Recv_init(&word, 1, MPI_INT, left, 43, MPI_COMM_WORLD, &requests[3]);
  MPI_Start(&requests[3]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) MPI_Start(&requests[i]);
  for (flag = 0; !flag;) MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
  EXPECT(other == left + 4 && word == left + 4);
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
  MPI_Buffer_detach(&detached, &index);
}

static int other_is_there(MPI_Request request) {
  int flag = 0;
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  return flag;
}

/* A cancelled receive takes no message; a matched one cannot be cancelled. */
static void cancel(void) {
  MPI_Request request;
  MPI_Status status;
  int word = -1, other = -1, flag = 0;
  MPI_Irecv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 60, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  EXPECT(request != MPI_REQUEST_NULL);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  EXPECT(flag);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(&other, 1, MPI_INT, left, 60, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Ssend(&rank, 1, MPI_INT, right == rank ? MPI_PROC_NULL : right, 60, MPI_COMM_WORLD);
  if (right == rank) MPI_Send(&rank, 1, MPI_INT, rank, 60, MPI_COMM_WORLD);
  while (right == rank && !other_is_there(request)) continue;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  EXPECT(word == -1 && (flag || (other == left && status.MPI_SOURCE == left)) && (!flag || other == -1));
  EXPECT(!flag); /* it was matched before the barrier */
}

/* Freed requests still complete. */
static void freed(void) {
  static int given[2000];
  MPI_Request request;
  for (int i = 0; i < 2000; ++i) given[i] = rank + i;
  MPI_Isend(given, 2000, MPI_INT, right, 61, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  EXPECT(request == MPI_REQUEST_NULL);
  static int got[2000];
  MPI_Recv(got, 2000, MPI_INT, left, 61, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 2000; ++i) EXPECT(got[i] == left + i);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  many_at_once();
  wait_any();
  wait_any_for_the_last();
  wait_some(0);
  wait_some(1);
  tests();
  persistent();
  cancel();
  freed();
  return finish();
}
