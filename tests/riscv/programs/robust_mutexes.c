/* Robust mutexes: a thread that locks one whose owner has ended is told, and whether it made it good decides what
 * comes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { mutexes = 3 };
static pthread_mutex_t held[mutexes];
static pthread_barrier_t both;

static void* end_with_all(void* nothing) {
  for (int i = 0; i < mutexes; ++i) pthread_mutex_lock(&held[i]);
  pthread_barrier_wait(&both);
  pthread_barrier_wait(&both);
  usleep(1000);  // so that the other one waits for the last
  return nothing;
}

static void* hold_and_unlock(void* nothing) {
  pthread_mutex_lock(&held[0]);
  pthread_mutex_unlock(&held[0]);
  return nothing;
}

static const char* name(int error) { return error == 0 ? "0" : strerrorname_np(error); }

int main(void) {
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  for (int i = 0; i < mutexes; ++i) printf("init %s\n", name(pthread_mutex_init(&held[i], &robust)));
  pthread_barrier_init(&both, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, end_with_all, NULL);
  pthread_barrier_wait(&both);
  printf("tried %s\n", name(pthread_mutex_trylock(&held[2])));
  pthread_barrier_wait(&both);
  printf("waited for %s\n", name(pthread_mutex_lock(&held[2])));
  printf("another %s\n", name(pthread_mutex_lock(&held[0])));
  pthread_join(thread, NULL);
  printf("made good %s\n", name(pthread_mutex_consistent(&held[0])));
  printf("unlock %s", name(pthread_mutex_unlock(&held[0])));
  printf(" %s\n", name(pthread_mutex_unlock(&held[2])));
  pthread_create(&thread, NULL, hold_and_unlock, NULL);
  pthread_join(thread, NULL);
  printf("good %s\n", name(pthread_mutex_lock(&held[0])));
  printf("not made good %s\n", name(pthread_mutex_lock(&held[2])));
  printf("later %s\n", name(pthread_mutex_lock(&held[1])));
  return 0;
}
