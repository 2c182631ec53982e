/* More threads, one after the other, than may run at a time; spinning on a flag. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int flag;
static void* set(void* value) {
  atomic_store(&flag, (int)(long)value);
  return 0;
}
int main(void) {
  int created = 0;
  for (long i = 1; i <= 1500; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, 0, set, (void*)i) != 0) break;
    ++created;
    while (atomic_load(&flag) != i)
      if (i % 2) sched_yield();
    pthread_join(thread, 0);
  }
  printf("%d\n", created);
  return 0;
}
