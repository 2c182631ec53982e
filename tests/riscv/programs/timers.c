// Interval timers, sigsuspend, sigwait-like loops, and what is left of a timer. Without output that depends on time.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static void tick(int number) {
  (void)number;
  ++ticks;
}

int main(void) {
  struct sigaction action = {.sa_handler = tick};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval every = {{0, 20000}, {0, 10000}};
  struct itimerval left;
  setitimer(ITIMER_REAL, &every, NULL);
  while (ticks < 3) continue; /* computes */
  getitimer(ITIMER_REAL, &left);
  printf("interval %ld, left %d\n", (long)left.it_interval.tv_usec,
         left.it_value.tv_usec > 0 && left.it_value.tv_usec <= 20000);
  const struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, &left);
  getitimer(ITIMER_REAL, &left);
  printf("left %ld\n", (long)left.it_value.tv_usec);

  sigset_t blocked, before, pending;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  ticks = 0;
  raise(SIGALRM);
  sigpending(&pending);
  printf("pending %d, ticks %d\n", sigismember(&pending, SIGALRM), (int)ticks);
  const int result = sigsuspend(&before);
  sigprocmask(SIG_SETMASK, NULL, &pending);
  printf("%d %s, ticks %d, blocked %d\n", result, strerror(errno), (int)ticks, sigismember(&pending, SIGALRM));
  alarm(1);
  printf("%d\n", sigsuspend(&before));
  printf("ticks %d, left %u\n", (int)ticks, alarm(0));
  sigprocmask(SIG_SETMASK, &before, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  const struct timespec while_it_sleeps = {10, 0};
  struct timespec rest = {0, 0};
  const int slept = nanosleep(&while_it_sleeps, &rest);
  printf("%d %d\n", slept, rest.tv_sec == 9);
  setitimer(ITIMER_REAL, &none, NULL);
  printf("%d %d\n", setitimer(99, &none, NULL), errno == EINVAL);
  signal(SIGALRM, SIG_DFL);
  alarm(1);
  fflush(stdout);
  pause();
  return 0;
}
