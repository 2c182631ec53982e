/* Sleeps take the time that they say. */
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(void) {
  const double start = now(CLOCK_MONOTONIC), calendar = now(CLOCK_REALTIME);
  usleep(30000);
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, ++until.tv_sec;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
  const double span = now(CLOCK_MONOTONIC) - start, by_calendar = now(CLOCK_REALTIME) - calendar;
  struct timeval t;
  gettimeofday(&t, 0);
  printf("%d %d %d %d\n", span >= 0.05, span<5, by_calendar >= 0.0499, t.tv_sec> 1000000000);
  printf("%d\n", now(CLOCK_PROCESS_CPUTIME_ID) < 5);
  return 0;
}
