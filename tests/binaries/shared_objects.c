/* Ranks of a node synchronise by POSIX objects in a shared window. The argument says how. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { rounds = 100, turns_of_each = 5, items = 20, phases = 30 };

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_barrier_t barrier;
  sem_t full, empty;
  long sum, turn, sent, phase;
  volatile int is_over;
} Shared;

static Shared* shared;
static int rank, ranks;

static void create(void) {
  pthread_mutexattr_t of_mutex;
  pthread_condattr_t of_condition;
  pthread_barrierattr_t of_barrier;
  pthread_mutexattr_init(&of_mutex);
  pthread_condattr_init(&of_condition);
  pthread_barrierattr_init(&of_barrier);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
  pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &of_mutex);
  pthread_cond_init(&shared->changed, &of_condition);
  pthread_barrier_init(&shared->barrier, &of_barrier, (unsigned)ranks);
  sem_init(&shared->full, 1, 0);
  sem_init(&shared->empty, 1, 1);
}

/* Reads, computes, writes: without the mutex additions would be lost. */
static void* add(void* nothing) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(&shared->mutex);
    const long before = shared->sum;
    for (volatile int k = 0; k < 10 * (rank + 1); ++k) continue;
    shared->sum = before + 1;
    pthread_mutex_unlock(&shared->mutex);
  }
  return nothing;
}

static int mutex(void) {
  pthread_t second;
  pthread_create(&second, NULL, add, NULL);
  add(NULL);
  pthread_join(second, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  return shared->sum == 2L * rounds * ranks;
}

static int condition(void) {
  for (int i = 0; i < turns_of_each; ++i) {
    pthread_mutex_lock(&shared->mutex);
    while (shared->turn % ranks != rank) pthread_cond_wait(&shared->changed, &shared->mutex);
    ++shared->turn;
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->mutex);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return shared->turn == (long)turns_of_each * ranks;
}

/* In each phase another rank counts; all see it behind the barrier. */
static int barrier(void) {
  int good = 1;
  for (int i = 0; i < phases; ++i) {
    if (i % ranks == rank) shared->phase = i;
    pthread_barrier_wait(&shared->barrier);
    good &= shared->phase == i;
    pthread_barrier_wait(&shared->barrier);
  }
  return good;
}

static int semaphores(void) {
  long received = 0, expected = 0;
  for (int i = 1; i <= items; ++i) expected = expected * 3 + i;
  for (int i = 1; i <= items && rank < 2; ++i) {
    if (rank == 0) {
      sem_wait(&shared->empty);
      shared->sent = i;
      sem_post(&shared->full);
    } else {
      sem_wait(&shared->full);
      received = received * 3 + shared->sent;
      sem_post(&shared->empty);
    }
  }
  return rank != 1 || received == expected;
}

/* The last rank wants the mutex once; the others never leave it for long. */
static int polled(void) {
  const int is_last = rank == ranks - 1;
  if (is_last) usleep(100);
  for (int is_over = 0; !is_over;) {
    pthread_mutex_lock(&shared->mutex);
    if (is_last) shared->is_over = 1;
    is_over = shared->is_over;
    pthread_mutex_unlock(&shared->mutex);
  }
  return 1;
}

static int timeout(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 1000000;
  return sem_timedwait(&shared->full, &until) == -1;
}

static int never(void) { return rank != 1 || sem_wait(&shared->full) == 0; }

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(void);
  } ways[] = {{"mutex", mutex},   {"condition", condition}, {"barrier", barrier}, {"semaphores", semaphores},
              {"polled", polled}, {"timeout", timeout},     {"never", never}};
  MPI_Init(&argc, &argv);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  MPI_Aint bytes;
  MPI_Win window;
  int unit;
  MPI_Win_allocate_shared(rank == 0 ? sizeof *shared : 0, 1, MPI_INFO_NULL, node, &shared, &window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &shared);
  if (rank == 0) create();
  MPI_Barrier(node);
  int good = 0, all = 0;
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; ++i)
    if (strcmp(argv[1], ways[i].name) == 0) good = ways[i].run();
  MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  int of_all;
  MPI_Comm_rank(MPI_COMM_WORLD, &of_all);
  if (of_all == 0) printf("%s by ranks of a node: %s\n", argv[1], all ? "right" : "WRONG");
  MPI_Win_free(&window);
  MPI_Finalize();
  return !all;
}
