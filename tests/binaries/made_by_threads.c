/* Threads of a rank make communicators, windows and files at once, each from a communicator of its own: what one makes
 * must be apart from what the others make. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 3

static int rank, ranks;
static int wrong[THREADS];
static MPI_Comm parents[THREADS];

/* The threads' sums differ, so that a message of another thread's communicator is noticed. */
static void sums_are_right(int me, MPI_Comm comm) {
  int size, sum = 0;
  const int mine = 1 << (4 * me);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  wrong[me] += sum != size * mine;
}

static void use_and_free(int me, MPI_Comm comm) {
  sums_are_right(me, comm);
  MPI_Comm_free(&comm);
}

static void copies(int me) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_dup(parents[me], &made);
  use_and_free(me, made);
  MPI_Comm_idup(parents[me], &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use_and_free(me, made);
}

static void parts(int me) {
  MPI_Comm made;
  MPI_Group all;
  MPI_Comm_split(parents[me], rank % 2, 0, &made);
  use_and_free(me, made);
  MPI_Comm_group(parents[me], &all);
  MPI_Comm_create(parents[me], all, &made);
  use_and_free(me, made);
  MPI_Comm_create_group(parents[me], all, 0, &made); /* all threads use the same tag, among the same processes */
  use_and_free(me, made);
  MPI_Group_free(&all);
}

static void between_groups(int me) {
  MPI_Comm half, both, copy, merged;
  MPI_Comm_split(parents[me], rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, parents[me], 1 - rank % 2, 0, &both);
  MPI_Comm_dup(both, &copy);
  MPI_Intercomm_merge(copy, rank % 2, &merged);
  use_and_free(me, half);
  use_and_free(me, merged);
  int theirs = 0, size;
  const int mine = 1 << (4 * me);
  MPI_Comm_remote_size(copy, &size);
  MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, copy);
  wrong[me] += theirs != size * mine;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&both);
}

static void topologies(int me) {
  MPI_Comm made;
  const int one = 1, next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Cart_create(parents[me], 1, &ranks, &one, 0, &made);
  use_and_free(me, made);
  int in = -1;
  const int out = 100 * me + rank;
  MPI_Dist_graph_create_adjacent(parents[me], 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &made);
  MPI_Neighbor_allgather(&out, 1, MPI_INT, &in, 1, MPI_INT, made);
  wrong[me] += in != 100 * me + before;
  MPI_Comm_free(&made);
}

static void windows(int me) {
  MPI_Win window;
  int cell = -1;
  const int mine = 100 * me + rank, before = (rank + ranks - 1) % ranks;
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, parents[me], &window);
  MPI_Win_fence(0, window);
  MPI_Put(&mine, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  wrong[me] += cell != 100 * me + before;
  MPI_Win_free(&window);
}

static void files(int me) {
  MPI_File file;
  char name[40];
  int mine = 100 * me + rank, first = -1;
  snprintf(name, sizeof name, "made_by_threads.%d", me);
  MPI_File_open(parents[me], name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_ordered(file, &mine, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(parents[me]);
  MPI_File_read_at(file, 0, &first, 1, MPI_INT, MPI_STATUS_IGNORE);
  wrong[me] += first != 100 * me;
  MPI_File_close(&file);
}

/* In each round the threads begin with something else, so that all pairs meet. */
static void* work(void* argument) {
  static void (*const makes[])(int me) = {copies, parts, between_groups, topologies, windows, files};
  const int me = *(const int*)argument, kinds = (int)(sizeof makes / sizeof *makes);
  for (int round = 0; round < ROUNDS; ++round)
    for (int i = 0; i < kinds; ++i) makes[(i + me * round) % kinds](me);
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
    MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]);
  }
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, &numbers[i]);
  int all = 0, sum = 0;
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Reduce(&all, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong of what threads made: %d\n", provided == MPI_THREAD_MULTIPLE, sum);
  MPI_Finalize();
  return 0;
}
