/* Cancelled messages: without a receive, a wait for them ends nevertheless; with a receive at the same time, they
 * arrive whole or not at all. By all kinds of sends, of all sizes, around a ring, and to oneself.
 *
 *   cancel [SEED]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "draw.h"

enum { SIZES = 6, MODES = 5, TURNS = 4, DATA = 1, VERDICT, AFTER };
static int size;

static void rest(unsigned most_us) {
  const struct timespec time = {0, 1000L * (long)next(&own, most_us)};
  nanosleep(&time, NULL);
}

static void start(int mode, const char* data, int bytes, int to, MPI_Request* request) {
  if (mode == 0) MPI_Issend(data, bytes, MPI_BYTE, to, DATA, MPI_COMM_WORLD, request);
  if (mode == 1) MPI_Isend(data, bytes, MPI_BYTE, to, DATA, MPI_COMM_WORLD, request);
  if (mode == 2) MPI_Ssend_init(data, bytes, MPI_BYTE, to, DATA, MPI_COMM_WORLD, request);
  if (mode == 3) MPI_Rsend_init(data, bytes, MPI_BYTE, to, DATA, MPI_COMM_WORLD, request);
  if (mode == 2 || mode == 3) MPI_Start(request);
  if (mode == 4) MPI_Ibsend(data, bytes, MPI_BYTE, to, DATA, MPI_COMM_WORLD, request);
}

/* Whether it was in time. */
static int take_back(MPI_Request* request) {
  MPI_Status status;
  int cancelled;
  MPI_Cancel(request);
  MPI_Wait(request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
  return cancelled;
}

/* No receive before the cancellation is decided, or one in the meantime. */
static void turn(int mode, int bytes, int distance, int meanwhile) {
  const int to = (rank + distance) % size, from = (rank + size - distance) % size;
  char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
  int verdict = -1, word = -1;
  MPI_Request send, receive = MPI_REQUEST_NULL;
  memset(out, rank + 1, bytes);
  memset(in, 0, bytes + 1);
  start(mode, out, bytes, to, &send);
  rest(100);
  if (meanwhile) MPI_Irecv(in, bytes, MPI_BYTE, from, DATA, MPI_COMM_WORLD, &receive);
  if (meanwhile) rest(100);
  const int cancelled = take_back(&send);
  if (!meanwhile && (mode == 0 || mode == 2)) CHECK(cancelled); /* it needs a receive to end */
  if (mode == 1 && bytes <= 1 && to != rank) CHECK(!cancelled); /* gone long ago */
  memset(out, 99, bytes);
  MPI_Sendrecv(&cancelled, 1, MPI_INT, to, VERDICT, &verdict, 1, MPI_INT, from, VERDICT, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (verdict == 0 && !meanwhile) MPI_Recv(in, bytes, MPI_BYTE, from, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (verdict == 0 && meanwhile) MPI_Wait(&receive, MPI_STATUS_IGNORE);
  if (verdict == 1 && meanwhile) CHECK(take_back(&receive));
  for (int i = 0; i < bytes; ++i) CHECK(in[i] == (verdict == 0 ? from + 1 : 0));
  /* The next message that comes is for the next receive. */
  MPI_Sendrecv(&rank, 1, MPI_INT, from, AFTER, &word, 1, MPI_INT, to, AFTER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(word == to);
  free(out);
  free(in);
}

int main(int argc, char** argv) {
  static const int sizes[SIZES] = {0, 1, 288, 300, 5000, 100000};
  static char buffer[2 * 100000 + 2 * MPI_BSEND_OVERHEAD];
  void* detached;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Buffer_attach(buffer, sizeof buffer);
  seed_draws(argc > 1 ? atoi(argv[1]) : 1, rank);
  for (int at = 0; at < SIZES * MODES * TURNS; ++at) {
    const int s = draw(SIZES), mode = draw(MODES), distance = draw(size);
    turn(mode, sizes[s], distance, draw(2));
  }
  int left = 0;
  MPI_Buffer_detach(&detached, &left);
  CHECK(detached == buffer && left == (int)sizeof buffer);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("PASS cancel on %d ranks\n", size);
  return MPI_Finalize();
}
