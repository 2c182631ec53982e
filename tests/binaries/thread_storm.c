/* Threads of each rank do a random sequence of collective and other operations at once (MPI_THREAD_MULTIPLE), each on a
 * communicator of its own, and wait for them in random ways.
 *
 *   thread_storm [seed] */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 5, OPERATIONS = 30, FEW = 200, MANY = 20000 };
enum what { ALLREDUCE, BROADCAST, ALLTOALL, BARRIER, NEIGHBOURS, BLOCKING_ALLREDUCE, KINDS };

static MPI_Comm comms[THREADS];
static int rank, ranks, wrong[THREADS];
static unsigned seed;

static unsigned draw(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
  return (unsigned)(*state >> 40);
}

static int value(int from, int thread, int number, int at) { return from + thread + number + at; }

static void wait_in_one_way(int count, MPI_Request* requests, unsigned way) {
  int all = 0, index, flag;
  switch (way % 5) {
    case 0:
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
      break;
    case 1:
      while (!all) MPI_Testall(count, requests, &all, MPI_STATUSES_IGNORE);
      break;
    case 2:
      for (int i = 0; i < count; ++i) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
      break;
    case 3:
      do MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
      while (!flag || index != MPI_UNDEFINED);
      break;
    default:
      for (int i = count; i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

/* What must be at `at` of `in`; -1: as it was. */
static int expected(enum what what, int thread, int number, int at, int size) {
  const int before = (rank + ranks - 1) % ranks, root = number % ranks;
  switch (what) {
    case ALLREDUCE:
    case BLOCKING_ALLREDUCE:
      return ranks * value(0, thread, number, at) + ranks * (ranks - 1) / 2;
    case BROADCAST:
      return rank == root ? -1 : value(root, thread, number, at);
    case ALLTOALL:
      return value(0, thread, number, rank * size + at);
    case NEIGHBOURS:
      return value(before, thread, number, at);
    default:
      return -1;
  }
}

static void operate(int thread, int number, uint64_t* common, uint64_t* own) {
  const MPI_Comm comm = comms[thread];
  const enum what what = draw(common) % KINDS;
  const int size = 1 + (int)(draw(common) % (draw(common) % 3 ? FEW : MANY)), root = number % ranks;
  int* in = malloc(sizeof(int) * (size_t)size * (size_t)ranks);
  int* out = malloc(sizeof(int) * (size_t)size * (size_t)ranks);
  for (int i = 0; i < size * ranks; ++i) in[i] = -1, out[i] = value(rank, thread, number, i);
  MPI_Request requests[2];
  int count = 0;
  switch (what) {
    case ALLREDUCE:
      MPI_Iallreduce(out, in, size, MPI_INT, MPI_SUM, comm, &requests[count++]);
      break;
    case BROADCAST:
      MPI_Ibcast(rank == root ? out : in, size, MPI_INT, root, comm, &requests[count++]);
      break;
    case ALLTOALL:
      MPI_Ialltoall(out, size, MPI_INT, in, size, MPI_INT, comm, &requests[count++]);
      break;
    case BARRIER:
      MPI_Ibarrier(comm, &requests[count++]);
      break;
    case NEIGHBOURS:
      MPI_Irecv(in, size, MPI_INT, (rank + ranks - 1) % ranks, number, comm, &requests[count++]);
      (draw(own) % 2 ? MPI_Isend : MPI_Issend)(out, size, MPI_INT, (rank + 1) % ranks, number, comm,
                                               &requests[count++]);
      break;
    default:
      MPI_Allreduce(out, in, size, MPI_INT, MPI_SUM, comm);
  }
  if (count > 0) wait_in_one_way(count, requests, draw(own));
  for (int i = 0; i < size; ++i) wrong[thread] += in[i] != expected(what, thread, number, i, size);
  free(in);
  free(out);
}

static void* work(void* argument) {
  const int thread = *(const int*)argument;
  uint64_t common = seed * 100 + (unsigned)thread, own = common * 100 + (unsigned)rank;
  for (int number = 0; number < OPERATIONS; ++number) operate(thread, number, &common, &own);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, numbers[THREADS], all = 0;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  for (int i = 0; i < THREADS; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    numbers[i] = i;
  }
  for (int i = 1; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  work(&numbers[0]);
  for (int i = 1; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong in the storm: %d\n", provided == MPI_THREAD_MULTIPLE, all);
  MPI_Finalize();
  return 0;
}
