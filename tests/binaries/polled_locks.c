/* The first thread polls under a lock what two others write under it: a critical section, a lock of OpenMP, a lock of
   readers and writers, a spin lock, in loops of many lengths. More threads than CPUs must not keep the writers out. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { kinds = 4, lengths = 80, threads = 3, writes = 3 };

static omp_lock_t lock;
static pthread_rwlock_t read_write = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int written;

static int look(int length) {
  for (volatile int i = 0; i < length; ++i) continue;
  return written;
}

static int poll_once(int kind, int length) {
  int seen = 0;
  switch (kind) {
    case 0:
#pragma omp critical
      seen = look(length);
      break;
    case 1:
      omp_set_lock(&lock);
      seen = look(length);
      omp_unset_lock(&lock);
      break;
    case 2:
      pthread_rwlock_rdlock(&read_write);
      seen = look(length);
      pthread_rwlock_unlock(&read_write);
      break;
    default:
      pthread_spin_lock(&spin);
      seen = look(length);
      pthread_spin_unlock(&spin);
  }
  return seen;
}

static void write_once(int kind) {
  switch (kind) {
    case 0:
#pragma omp critical
      ++written;
      break;
    case 1:
      omp_set_lock(&lock);
      ++written;
      omp_unset_lock(&lock);
      break;
    case 2:
      pthread_rwlock_wrlock(&read_write);
      ++written;
      pthread_rwlock_unlock(&read_write);
      break;
    default:
      pthread_spin_lock(&spin);
      ++written;
      pthread_spin_unlock(&spin);
  }
}

int main(int argc, char** argv) {
  int rank = 0, sum = 0, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  omp_init_lock(&lock);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  for (int kind = 0; kind < kinds; ++kind)
    for (int length = 0; length < lengths; ++length) {
      written = 0;
#pragma omp parallel num_threads(threads)
      if (omp_get_thread_num() == 0)
        while (poll_once(kind, 2 * length) < (threads - 1) * writes) continue;
      else
        for (int i = 0; i < writes; ++i) write_once(kind);
      sum += written;
    }
  wrong = sum != kinds * lengths * (threads - 1) * writes;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("wrong under polled locks: %d\n", all);
  MPI_Finalize();
}
