/* Threads that wait for the last rank, in all ways, when its node dies (MPI_THREAD_MULTIPLE, MPI_ERRORS_RETURN), and
 * one more that waits for a rank that lives: the death is not its business. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 8, LIVING = THREADS - 1, OTHER_TAG = 100 };
#define LATER_us 5000 /* after the others were told */

static int rank, ranks;
static MPI_Comm comms[THREADS], living;

static int call(int me, MPI_Comm comm) {
  const int dead = ranks - 1;
  int value = 0, sum = 0, index;
  MPI_Request requests[2];
  switch (me) {
    case 0:
      return MPI_Recv(&value, 1, MPI_INT, dead, me, comm, MPI_STATUS_IGNORE);
    case 1:
      return MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, me, comm, MPI_STATUS_IGNORE);
    case 2:
      MPI_Irecv(&value, 1, MPI_INT, dead, me, comm, &requests[0]);
      return MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    case 3:
      return MPI_Probe(dead, me, comm, MPI_STATUS_IGNORE);
    case 4:
      return MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    case 5:
      return MPI_Barrier(comm);
    case 6:
      MPI_Irecv(&value, 1, MPI_INT, dead, me, comm, &requests[0]);
      MPI_Irecv(&value, 1, MPI_INT, dead, OTHER_TAG, comm, &requests[1]);
      return MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    default:
      return MPI_Recv(&value, 1, MPI_INT, 1 - rank, me, living, MPI_STATUS_IGNORE);
  }
}

static void* work(void* number) {
  const int me = (int)(intptr_t)number;
  const int error = call(me, comms[me]);
  printf("thread %d: %s\n", me, error ? "told" : "received");
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < THREADS; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  MPI_Comm_split(MPI_COMM_WORLD, rank == ranks - 1, rank, &living);
  if (rank == ranks - 1) sleep(100);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)(intptr_t)i);
  for (int i = 0; i < LIVING; ++i) pthread_join(threads[i], NULL);
  usleep(LATER_us);
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, LIVING, living);
  pthread_join(threads[LIVING], NULL);
  return 0;
}
