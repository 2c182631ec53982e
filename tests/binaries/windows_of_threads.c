/* Threads of a rank use windows at once: each its own, or all the same one. A thread that waits for a lock keeps no
 * other from releasing the one that the holder waits for. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 4

static int rank, ranks;
static int wrong[THREADS];
static long cells[THREADS][THREADS + 1], common[THREADS + 1];
static long sent[THREADS]; /* in an epoch that outlives the threads */
static MPI_Win own[THREADS], same;

/* Under an exclusive lock: nothing is lost if no other rank or thread comes between. */
static void add_one(MPI_Win window, int target, int cell) {
  long value;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
  MPI_Get(&value, 1, MPI_LONG, target, cell, 1, MPI_LONG, window);
  MPI_Win_flush(target, window);
  ++value;
  MPI_Put(&value, 1, MPI_LONG, target, cell, 1, MPI_LONG, window);
  MPI_Win_unlock(target, window);
}

static void* locks_of_own_windows(void* argument) {
  const int me = *(const int*)argument;
  for (int round = 0; round < ROUNDS * ranks; ++round) add_one(own[me], (rank + round) % ranks, 0);
  return NULL;
}

/* Each thread has a rank as its target: several locks of one window at once. */
static void* locks_of_the_same_window(void* argument) {
  const int me = *(const int*)argument;
  for (int round = 0; me < ranks && round < ROUNDS; ++round) add_one(same, me, 0);
  return NULL;
}

/* Each thread writes a cell of its own, and reads it again, with the other threads' operations among its own. */
static void* requests_of_the_same_window(void* argument) {
  const int me = *(const int*)argument;
  for (int round = 0; round < ROUNDS * ranks; ++round) {
    const int target = (rank + round) % ranks;
    long out = 1000 * rank + 10 * me + round, in = -1;
    const MPI_Aint cell = 1 + me;
    MPI_Request request;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, own[me]);
    MPI_Rput(&out, 1, MPI_LONG, target, cell, 1, MPI_LONG, own[me], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(target, own[me]);
    MPI_Rget(&in, 1, MPI_LONG, target, cell, 1, MPI_LONG, own[me], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(target, own[me]);
    wrong[me] += in != out;
    const long one = 1;
    long before = -1;
    MPI_Rget_accumulate(&one, 1, MPI_LONG, &before, 1, MPI_LONG, target, cell, 1, MPI_LONG, MPI_SUM, same, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush_all(same);
    wrong[me] += before < 0 || before >= (long)ROUNDS * ranks * ranks;
  }
  return NULL;
}

/* All threads begin with the same target, whose post is still to come. */
static void* puts_of_one_epoch(void* argument) {
  const int me = *(const int*)argument;
  sent[me] = 100 * rank + me;
  MPI_Put(&sent[me], 1, MPI_LONG, (rank + 1) % ranks, 1 + me, 1, MPI_LONG, same);
  return NULL;
}

static void in_all_threads(void* (*work)(void*)) {
  pthread_t threads[THREADS];
  static int numbers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void read_locked(MPI_Win window) {
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  MPI_Win_unlock(rank, window);
}

static void passive(void) {
  in_all_threads(locks_of_own_windows);
  for (int i = 0; i < THREADS; ++i) {
    read_locked(own[i]);
    wrong[i] += cells[i][0] != (long)ROUNDS * ranks;
  }
  in_all_threads(locks_of_the_same_window);
  read_locked(same);
  wrong[0] += common[0] != (rank < THREADS ? (long)ROUNDS * ranks : 0);
  MPI_Win_lock_all(0, same);
  in_all_threads(requests_of_the_same_window);
  MPI_Win_unlock_all(same);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < THREADS; ++i) wrong[i] += common[1 + i] != (long)ROUNDS * ranks;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void active(void) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Group all, to, from;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Group_incl(all, 1, &before, &from);
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_Win_start(to, 0, same);
    if (rank % 2 == 0) MPI_Win_post(from, 0, same);
    if (rank % 2 == 1) {
      for (const double until = MPI_Wtime() + 1e-3; MPI_Wtime() < until;) continue;
      MPI_Win_post(from, 0, same);
    }
    in_all_threads(puts_of_one_epoch);
    MPI_Win_complete(same);
    MPI_Win_wait(same);
    for (int i = 0; i < THREADS; ++i) wrong[i] += common[1 + i] != 100 * before + i;
  }
  MPI_Group_free(&all);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < THREADS; ++i)
    MPI_Win_create(cells[i], sizeof cells[i], sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &own[i]);
  MPI_Win_create(common, sizeof common, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &same);
  passive();
  active();
  for (int i = 0; i < THREADS; ++i) MPI_Win_free(&own[i]);
  MPI_Win_free(&same);
  int all = 0, sum = 0;
  for (int i = 0; i < THREADS; ++i) all += wrong[i];
  MPI_Reduce(&all, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("level %d, wrong with windows of threads: %d\n", provided == MPI_THREAD_MULTIPLE, sum);
  MPI_Finalize();
  return 0;
}
