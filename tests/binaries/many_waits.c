/* More threads wait in MPI calls than a rank has cores (MPI_THREAD_MULTIPLE): in each round each thread receives from
 * the same thread of the rank before, with its tag. The last thread sends first; each other sends when the next one has
 * received, so no wait can end before all the later threads have gone on.
 *
 *   many_waits [stuck | computing]   stuck: the message of thread 0 is never sent. computing: thread 0 waits for the
 *                                    others without a call that would tell them */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 5, BYTES = 5000, ROUND_TAGS = 1000 };

static int rank, ranks, is_stuck, computes;
static int wrong[THREADS];
static atomic_int received[ROUNDS];

/* One byte of the last thread, as its message must leave before anyone receives it. */
static int bytes_of(int thread) { return thread % 2 ? 1 : BYTES; }

static void send(int thread, int round) {
  static unsigned char out[THREADS][BYTES];
  memset(out[thread], rank + thread + round, BYTES);
  MPI_Send(out[thread], bytes_of(thread), MPI_BYTE, (rank + 1) % ranks, round * ROUND_TAGS + thread, MPI_COMM_WORLD);
}

static void receive(int thread, int round) {
  static unsigned char in[THREADS][BYTES];
  const int before = (rank + ranks - 1) % ranks, bytes = bytes_of(thread);
  int got = 0;
  MPI_Status status;
  MPI_Recv(in[thread], BYTES, MPI_BYTE, before, round * ROUND_TAGS + thread, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_BYTE, &got);
  wrong[thread] += got != bytes;
  for (int i = 0; i < bytes; ++i) wrong[thread] += in[thread][i] != (unsigned char)(before + thread + round);
}

static void* work(void* argument) {
  const int thread = *(const int*)argument;
  for (int round = 0; round < ROUNDS; ++round) {
    if (thread == THREADS - 1) send(thread, round);
    if (thread == 0 && computes)
      while (atomic_load(&received[round]) < THREADS - 1) continue;
    receive(thread, round);
    atomic_fetch_add(&received[round], 1);
    /* Of all threads of this rank, this one alone can let the one before go on, in the next rank. */
    if (thread > 0 && !(is_stuck && thread == 1)) send(thread - 1, round);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[THREADS], all = 0, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  is_stuck = argc > 1 && !strcmp(argv[1], "stuck");
  computes = argc > 1 && !strcmp(argv[1], "computing");
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) numbers[i] = i;
  for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  work(&numbers[0]);
  for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Reduce(&all, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with many waits: %d\n", provided == MPI_THREAD_MULTIPLE, sum);
  MPI_Finalize();
  return 0;
}
