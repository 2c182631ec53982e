/* sigwait, sigwaitinfo, sigtimedwait, sigqueue: signals that are taken without a handler, by threads and by time. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int handled;
static pthread_barrier_t both;

static void on_signal(int number) { handled = number; }

static void* take_three(void* set) {
  for (int i = 0; i < 3; ++i) {
    int number = 0;
    sigwait(set, &number);
    printf("taken %s\n", sigabbrev_np(number));
    pthread_barrier_wait(&both);
  }
  return NULL;
}

static void* unblock(void* set) {
  pthread_sigmask(SIG_UNBLOCK, set, NULL); /* what is pending for the process is handled here */
  printf("handled %d\n", handled == SIGUSR2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  siginfo_t info;
  sigset_t set, pending;
  setvbuf(stdout, NULL, _IOLBF, 0);
  pthread_barrier_init(&both, NULL, 2);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGALRM);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);

  kill(getpid(), SIGUSR1); /* pending before and while it waits, of an alarm, and to the thread alone */
  pthread_create(&thread, NULL, take_three, &set);
  pthread_barrier_wait(&both);
  alarm(1);
  pthread_barrier_wait(&both);
  pthread_kill(thread, SIGUSR2);
  pthread_barrier_wait(&both);
  pthread_join(thread, NULL);

  for (int i = 1; i <= 3; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 100 * i});
  kill(getpid(), SIGUSR1); /* ordinary ones do not queue, and come first */
  kill(getpid(), SIGUSR1);
  sigpending(&pending);
  printf("pending %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2));
  for (int i = 0; i < 4; ++i) {
    const int number = sigwaitinfo(&set, &info);
    printf("%s by %s, own %d", number == SIGUSR1 ? "USR1" : "RTMIN", info.si_code == SI_QUEUE ? "sigqueue" : "kill",
           info.si_pid == getpid());
    printf(number == SIGUSR1 ? "\n" : " value %d\n", info.si_value.sival_int);
  }
  struct timespec none = {0, 0}, some = {0, 3000000}, first, last;
  printf("none %d %s\n", sigtimedwait(&set, &info, &none), strerrorname_np(errno));
  clock_gettime(CLOCK_MONOTONIC, &first);
  const int result = sigtimedwait(&set, &info, &some);
  printf("some %d %s\n", result, strerrorname_np(errno));
  clock_gettime(CLOCK_MONOTONIC, &last);
  printf("3 ms %d\n", (last.tv_sec - first.tv_sec) * 1000000000 + last.tv_nsec - first.tv_nsec >= 3000000);
  some.tv_nsec = -1;
  printf("wrong %d %s\n", sigtimedwait(&set, &info, &some), strerrorname_np(errno));

  signal(SIGHUP, on_signal); /* which is not blocked, ends a wait */
  signal(SIGALRM, on_signal);
  sigdelset(&set, SIGALRM);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarms, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 2000}}, NULL);
  const int ended = sigwaitinfo(&set, &info);
  printf("ended %d %s handled %d\n", ended, strerrorname_np(errno), handled == SIGALRM);

  signal(SIGUSR2, on_signal);
  kill(getpid(), SIGUSR2);
  printf("not yet %d\n", handled == SIGUSR2);
  pthread_create(&thread, NULL, unblock, &set);
  pthread_join(thread, NULL);
  return 0;
}
