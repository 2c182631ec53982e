/* Ranks that wait, or are about to wait, for the last one when its node dies. They make the call at START, by simulated
 * time, so that the death can be told to come before it, in it, or to be known already. The first argument chooses the
 * call; "return" behind it: the error is returned and looked at, and those that live go on with each other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START 0.2            /* seconds */
#define LONG (1 << 16)       /* words: too many to be sent before they are received */
#define ANNOUNCED (LONG / 8) /* words: announced before they are sent */
#define MESSAGES 300         /* more than any library keeps under way */

static int rank, size, dead;
static int words[LONG], others[LONG];

static void sleep_until(double time) {
  const double left = time - MPI_Wtime();
  if (left > 0) usleep((useconds_t)(left * 1e6));
}

static int waitany(void) {
  MPI_Request requests[2];
  int index;
  MPI_Irecv(words, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(words + 1, 1, MPI_INT, dead, 1, MPI_COMM_WORLD, &requests[1]);
  const int error = MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  for (int i = 0; i < 2; ++i)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  return error;
}

static int waitall(void) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Isend(words, LONG, MPI_INT, dead, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(others, LONG, MPI_INT, dead, 1, MPI_COMM_WORLD, &requests[1]);
  const int error = MPI_Waitall(2, requests, statuses);
  return error == MPI_ERR_IN_STATUS ? statuses[1].MPI_ERROR : error;
}

static int test(void) {
  MPI_Request request;
  MPI_Irecv(words, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, &request);
  int error = MPI_SUCCESS;
  for (int flag = 0; !flag; usleep(100)) error = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return error;
}

static int wait(int sends) {
  MPI_Request request;
  if (sends)
    MPI_Isend(words, LONG, MPI_INT, dead, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(words, 1, MPI_INT, dead, 0, MPI_COMM_WORLD, &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int call(const char* what) {
  const MPI_Comm world = MPI_COMM_WORLD;
  if (strcmp(what, "recv") == 0) return MPI_Recv(words, 1, MPI_INT, dead, 0, world, MPI_STATUS_IGNORE);
  if (strcmp(what, "any") == 0) return MPI_Recv(words, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
  if (strcmp(what, "send") == 0) return MPI_Send(words, LONG, MPI_INT, dead, 0, world);
  if (strcmp(what, "ssend") == 0) return MPI_Ssend(words, 1, MPI_INT, dead, 0, world);
  if (strcmp(what, "irecv") == 0) return wait(0);
  if (strcmp(what, "isend") == 0) return wait(1);
  if (strcmp(what, "waitany") == 0) return waitany();
  if (strcmp(what, "waitall") == 0) return waitall();
  if (strcmp(what, "test") == 0) return test();
  if (strcmp(what, "probe") == 0) return MPI_Probe(dead, 0, world, MPI_STATUS_IGNORE);
  if (strcmp(what, "sendrecv") == 0)
    return MPI_Sendrecv(words, LONG, MPI_INT, dead, 0, others, LONG, MPI_INT, dead, 0, world, MPI_STATUS_IGNORE);
  if (strcmp(what, "barrier") == 0) return MPI_Barrier(world);
  if (strcmp(what, "bcast") == 0) return MPI_Bcast(words, 1000, MPI_INT, dead, world);
  if (strcmp(what, "allreduce") == 0) return MPI_Allreduce(words, others, 64, MPI_INT, MPI_SUM, world);
  if (strcmp(what, "alltoall") == 0) return MPI_Alltoall(words, 1000, MPI_INT, others, 1000, MPI_INT, world);
  MPI_Abort(world, 8);
  return MPI_SUCCESS;
}

static void expect(int holds, int code) {
  if (!holds) MPI_Abort(MPI_COMM_WORLD, code);
}

/* Pairs of the living exchange messages, long ones too; then all of them meet. */
static void go_on(void) {
  const int partner = rank ^ 1, living = size - 1;
  for (int i = 0; i < MESSAGES && partner < living; ++i) {
    const int count = i % 50 == 0 ? ANNOUNCED : 1;
    words[0] = words[count - 1] = 1000 * rank + i;
    MPI_Sendrecv(words, count, MPI_INT, partner, 1, others, count, MPI_INT, partner, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(others[0] == 1000 * partner + i && others[count - 1] == others[0], 5);
  }
  MPI_Group all, some;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_excl(all, 1, &dead, &some);
  expect(MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &comm) == MPI_SUCCESS, 6);
  for (int i = 0; i < 3; ++i) {
    int sum = 0;
    words[0] = rank == i ? 77 : 0;
    expect(MPI_Barrier(comm) == MPI_SUCCESS, 9);
    expect(MPI_Bcast(words, 1, MPI_INT, i, comm) == MPI_SUCCESS && words[0] == 77, 10);
    expect(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS && sum == living * (living - 1) / 2,
           11);
  }
  printf("goes on\n");
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  dead = size - 1;
  const int returns = argc > 2 && strcmp(argv[2], "return") == 0;
  if (returns) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == dead) sleep(100);
  sleep_until(START);
  const int error = call(argv[1]);
  char text[MPI_MAX_ERROR_STRING];
  int length, kind;
  expect(error != MPI_SUCCESS, 7);
  MPI_Error_class(error, &kind);
  MPI_Error_string(error, text, &length);
  printf("class %d: %s\n", kind == MPI_ERR_OTHER, text);
  /* One that has no message under way hears of it now. */
  expect(MPI_Send(words, 1, MPI_INT, dead, 0, MPI_COMM_WORLD) != MPI_SUCCESS, 12);
  sleep_until(START + 0.1); /* all others have heard of it as well */
  go_on();
  MPI_Finalize();
  return 0;
}
