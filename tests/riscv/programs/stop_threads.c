/* pthread_kill to a sleeping thread, cancellation, timed waits. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static sem_t ready;
static void on_signal(int number) { (void)number; }
static void* sleeper(void* unused) {
  (void)unused;
  struct timespec t = {100, 0}, rest = {0, 0};
  sem_post(&ready);
  const int result = nanosleep(&t, &rest);
  printf("%d %d %d\n", result, errno == EINTR, rest.tv_sec >= 98);
  return 0;
}
static void tidy(void* unused) {
  (void)unused;
  printf("tidy\n");
}
static void* cancelled(void* unused) {
  pthread_cleanup_push(tidy, 0);
  sem_post(&ready);
  for (;;) sleep(1000);
  pthread_cleanup_pop(0);
  return unused;
}
int main(void) {
  signal(SIGUSR1, on_signal);
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, sleeper, 0);
  sem_wait(&ready);
  usleep(50000);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, cancelled, 0);
  sem_wait(&ready);
  usleep(50000);
  pthread_cancel(thread);
  void* result;
  pthread_join(thread, &result);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  const int timed = sem_timedwait(&ready, &until);
  printf("%d %d %d\n", result == PTHREAD_CANCELED, timed, errno == ETIMEDOUT);
  return 0;
}
