/* Two threads on CPUs of their own: one computes and prints, the other measures how long its own computing takes, and
 * how often it computes while the first one lives. Neither disturbs the other (MPI_THREAD_MULTIPLE). */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LINES = 200, TURNS = 300 };

static atomic_int ended;

static void compute(void) {
  for (volatile int i = 0; i < TURNS; ++i) continue;
}

static void* print(void* unused) {
  for (int i = 0; i < LINES; ++i) {
    compute();
    printf("line %d\n", i);
    fflush(stdout);
  }
  ended = 1;
  return unused;
}

int main(int argc, char** argv) {
  int provided, measured = 0;
  double shortest = 1, longest = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_create(&thread, NULL, print, NULL);
  MPI_Wtime();
  for (; !ended; ++measured) {
    const double begin = MPI_Wtime();
    compute();
    const double span = MPI_Wtime() - begin;
    if (span < shortest) shortest = span;
    if (span > longest) longest = span;
  }
  pthread_join(thread, NULL);
  printf("measured %d times, from %.3f to %.3f ns\n", measured, shortest * 1e9, longest * 1e9);
  MPI_Finalize();
  return 0;
}
