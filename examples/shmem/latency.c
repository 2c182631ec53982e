/* What OpenSHMEM's calls of 8 bytes take between two neighbours, in microseconds. */
#include <shmem.h>
#include <stdio.h>
#include <time.h>

enum { TIMES = 100, CALLS = 6 };
static long word, back;
static uint64_t signals[2];

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* One of the calls, until it is complete. */
static void call(int what) {
  static long value = 1, fetched;
  if (what == 0) shmem_long_p(&word, value, 1), shmem_quiet();
  if (what == 1) shmem_long_put_signal(&word, &value, 1, &signals[0], 1, SHMEM_SIGNAL_SET, 1), shmem_quiet();
  if (what == 2) shmem_long_get(&back, &word, 1, 1);
  if (what == 3) fetched = shmem_long_atomic_fetch_add(&word, 1, 1);
  if (what == 4) shmem_long_atomic_fetch_add_nbi(&fetched, &word, 1, 1), shmem_quiet();
  if (what == 5) shmem_long_atomic_inc(&word, 1), shmem_quiet();
}

/* Half of the time there and back: a word that is put, or one with a signal behind it. */
static double there_and_back(int me, int with_signal) {
  word = 0, signals[0] = 0;
  shmem_barrier_all();
  const double begin = now_us();
  for (long i = 1; i <= TIMES; ++i)
    for (int turn = 0; turn < 2; ++turn) {
      if (turn == me && with_signal)
        shmem_long_put_signal(&back, &i, 1, &signals[0], (uint64_t)i, SHMEM_SIGNAL_SET, 1 - me);
      if (turn == me && !with_signal) shmem_long_p(&word, i, 1 - me);
      if (turn != me && with_signal) shmem_signal_wait_until(&signals[0], SHMEM_CMP_EQ, (uint64_t)i);
      if (turn != me && !with_signal) shmem_long_wait_until(&word, SHMEM_CMP_EQ, i);
    }
  return (now_us() - begin) / TIMES / 2;
}

int main(void) {
  static const char* const names[CALLS] = {"p, quiet",  "put_signal, quiet",    "get",
                                           "fetch_add", "fetch_add_nbi, quiet", "inc, quiet"};
  shmem_init();
  const int me = shmem_my_pe();
  for (int what = 0; what < CALLS; ++what) {
    shmem_barrier_all();
    if (me == 0) {
      for (int i = 0; i < 3; ++i) call(what); /* the first of all exchange addresses */
      const double begin = now_us();
      for (int i = 0; i < TIMES; ++i) call(what);
      printf("%-22s %7.2f us\n", names[what], (now_us() - begin) / TIMES);
    }
    shmem_barrier_all(); /* the other one waits in a call, so that its CPU can serve */
  }
  for (int with_signal = 0; with_signal < 2; ++with_signal) {
    const double us = there_and_back(me, with_signal);
    if (me == 0) printf("%-22s %7.2f us\n", with_signal ? "data and signal arrive" : "p arrives", us);
  }
  shmem_finalize();
  return 0;
}
