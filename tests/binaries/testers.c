/* A thread of rank 0 tests for a message until it comes, while the others do what the first argument says: `sleep`,
 * `compute`, `receive`, or `two`: another one tests, too. With a second argument the message never comes. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { AWAITED = 2, GO_ON = AWAITED };

static void* test(void* tag) {
  MPI_Request request;
  int flag = 0, number = -1;
  MPI_Irecv(&number, 1, MPI_INT, 1, (int)(intptr_t)tag, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  printf("tested for %d\n", number);
  return NULL;
}

static void* receive(void* tag) {
  int number = -1;
  MPI_Recv(&number, 1, MPI_INT, 1, (int)(intptr_t)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("received %d\n", number);
  return NULL;
}

static void send(int number, int to, int tag) { MPI_Send(&number, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }

static void first(const char* does) {
  pthread_t threads[AWAITED];
  pthread_create(&threads[0], NULL, test, (void*)0);
  pthread_create(&threads[1], NULL, strcmp(does, "two") == 0 ? test : receive, (void*)1);
  if (strcmp(does, "sleep") == 0) usleep(300000);
  if (strcmp(does, "compute") == 0)
    for (volatile long i = 0; i < 20000000; ++i) continue;
  send(0, 1, GO_ON);
  for (int i = 0; i < AWAITED; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  int provided, rank, in;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    first(argv[1]);
  } else {
    MPI_Recv(&in, 1, MPI_INT, 0, GO_ON, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < AWAITED && argc == 2; ++i) send(70 + i, 0, i);
  }
  MPI_Finalize();
  return 0;
}
