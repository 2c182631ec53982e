/* Mutexes, conditions, barriers, thread-local data, atomics. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int turn;
static long guarded;
static atomic_long counted;
static atomic_char small;
static __thread int own;
static void* work(void* number) {
  const int me = (int)(long)number;
  for (int i = 0; i < 2000; ++i) {
    pthread_mutex_lock(&mutex);
    guarded += me;
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add(&counted, 1);
    atomic_fetch_xor(&small, (char)me);
    ++own;
  }
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  while (turn != me) pthread_cond_wait(&changed, &mutex);
  printf("thread %d %d\n", me, own);
  ++turn;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return (void*)(long)(me * me);
}
int main(void) {
  pthread_t threads[8];
  pthread_barrier_init(&barrier, 0, 8);
  for (long i = 0; i < 8; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  long sum = 0;
  for (int i = 0; i < 8; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld %ld %ld %d %d\n", sum, guarded, atomic_load(&counted), small, own);
  return 0;
}
