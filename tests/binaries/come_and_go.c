/* Threads that come and go, each with messages from and to its stack (MPI_THREAD_MULTIPLE): more at once than stacks
 * that glibc keeps for new threads by itself. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 12, ROUNDS = 20, BYTES = 3000 };

static int rank, ranks;
static int wrong[THREADS];

static void* exchange(void* number) {
  const int me = *(const int*)number, before = (rank + ranks - 1) % ranks;
  char out[BYTES], in[BYTES];
  for (int i = 0; i < BYTES; ++i) out[i] = (char)(me + rank + i);
  MPI_Sendrecv(out, BYTES, MPI_CHAR, (rank + 1) % ranks, me, in, BYTES, MPI_CHAR, before, me, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < BYTES; ++i) wrong[me] += in[i] != (char)(me + before + i);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[THREADS], all = 0, sum = 0;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < THREADS; ++i) numbers[i] = i;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Reduce(&all, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with threads that come and go: %d\n", provided == MPI_THREAD_MULTIPLE, sum);
  MPI_Finalize();
  return 0;
}
