/* Each thread of a rank talks to the thread of the same number of all others, at once (MPI_THREAD_MULTIPLE): messages
 * of all sizes in a ring, collective operations on a communicator of its own, and messages between threads of one rank.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS 6

static int rank, ranks;
static int wrong[THREADS];
static MPI_Comm comms[THREADS];

static void ring(int me, int round) {
  const int bytes = 1 << (3 * round); /* 1 byte to 32 KiB */
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks, tag = me * 100 + round;
  unsigned char* out = malloc((size_t)bytes);
  unsigned char* in = malloc((size_t)bytes);
  for (int i = 0; i < bytes; ++i) out[i] = (unsigned char)(rank + me + round + i);
  MPI_Request request;
  MPI_Irecv(in, bytes, MPI_BYTE, before, tag, MPI_COMM_WORLD, &request);
  MPI_Send(out, bytes, MPI_BYTE, next, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < bytes; ++i) wrong[me] += in[i] != (unsigned char)(before + me + round + i);
  free(out);
  free(in);
}

static void among_threads(int me, int round) {
  const int other = me ^ 1, tag = 10000 + round;
  int mine = me * 1000 + round, theirs = -1;
  if (me < other) MPI_Send(&mine, 1, MPI_INT, rank, tag * 10 + me, MPI_COMM_WORLD);
  MPI_Recv(&theirs, 1, MPI_INT, rank, tag * 10 + other, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me > other) MPI_Send(&mine, 1, MPI_INT, rank, tag * 10 + me, MPI_COMM_WORLD);
  wrong[me] += theirs != other * 1000 + round;
}

static void* work(void* argument) {
  const int me = *(const int*)argument;
  int is_main;
  MPI_Is_thread_main(&is_main);
  wrong[me] += is_main != (me == 0);
  for (int round = 0; round < ROUNDS; ++round) {
    ring(me, round);
    if (me > 1) among_threads(me, round); /* the first thread of the pair sends before the other receives */
    int sum = 0, mine = rank + me;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comms[me]);
    wrong[me] += sum != ranks * (ranks - 1) / 2 + ranks * me;
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  }
  for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  work(&numbers[0]);
  int all = 0, sum = 0;
  for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Reduce(&all, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with several threads: %d\n", provided == MPI_THREAD_MULTIPLE, sum);
  MPI_Finalize();
  return 0;
}
