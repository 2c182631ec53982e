/* The first thread polls under a mutex what another one has to write under it: loops of many lengths, which leave the
   mutex free for a few instructions each time. */
#include <pthread.h>
#include <stdio.h>

enum { lengths = 60, writes = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void* write_all(void* nothing) {
  for (int i = 0; i < writes; ++i) {
    pthread_mutex_lock(&mutex);
    ++written;
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}

static int poll_until_written(int length) {
  pthread_t thread;
  int seen = 0;
  written = 0;
  pthread_create(&thread, NULL, write_all, NULL);
  while (seen < writes) {
    pthread_mutex_lock(&mutex);
    for (volatile int i = 0; i < length; ++i) continue;
    seen = written;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return seen;
}

int main(void) {
  int sum = 0;
  for (int length = 0; length < lengths; ++length) sum += poll_until_written(length);
  printf("%d\n", sum);
  return 0;
}
