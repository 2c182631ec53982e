/* What a program learns of its computer from the C library is the virtual machine's: names, process numbers, times of
 * all kinds, sleeps of all kinds, an environment and signals of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <hal.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int rank;

static void expect(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static void names(void) {
  char host[MPI_MAX_PROCESSOR_NAME], processor[MPI_MAX_PROCESSOR_NAME], expected[16], small[3];
  int length = 0;
  snprintf(expected, sizeof expected, "node%d", rank);
  expect(gethostname(host, sizeof host) == 0 && strcmp(host, expected) == 0, "gethostname");
  expect(gethostname(small, sizeof small) < 0 && errno == ENAMETOOLONG, "gethostname where there is no room");
  MPI_Get_processor_name(processor, &length);
  expect(strcmp(processor, expected) == 0 && length == (int)strlen(expected), "MPI_Get_processor_name");
  struct utsname all;
  expect(uname(&all) == 0 && strcmp(all.nodename, expected) == 0, "uname");
  int least = 0, most = 0;
  const int mine = getpid();
  MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  expect(most == least + 1, "two processes have two numbers");
}

static int is_near(double measured, double wanted) { return measured >= wanted && measured < wanted + 5e-6; }

static void sleeps(void) {
  const struct timespec ms = {.tv_nsec = 1000000};
  double begin = MPI_Wtime();
  clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
  expect(is_near(MPI_Wtime() - begin, 1e-3), "clock_nanosleep");
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 2000000; /* far from a second's end: the run has lasted a few ms */
  begin = MPI_Wtime();
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  expect(MPI_Wtime() - begin > 1.99e-3 && MPI_Wtime() - begin < 2.01e-3, "clock_nanosleep until");
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 2000000;
  begin = MPI_Wtime();
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
  expect(MPI_Wtime() - begin > 1.99e-3 && MPI_Wtime() - begin < 2.01e-3, "clock_nanosleep until a date");
  until = (struct timespec){.tv_sec = 1, .tv_nsec = 999999999}; /* long ago */
  begin = MPI_Wtime();
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
  expect(MPI_Wtime() - begin < 1e-5, "clock_nanosleep until what is past");
  struct timeval span = {.tv_usec = 3000};
  begin = MPI_Wtime();
  select(0, NULL, NULL, NULL, &span);
  expect(is_near(MPI_Wtime() - begin, 3e-3), "select");
  begin = MPI_Wtime();
  poll(NULL, 0, 4);
  expect(is_near(MPI_Wtime() - begin, 4e-3), "poll");
  begin = MPI_Wtime();
  pselect(0, NULL, NULL, NULL, &ms, NULL);
  expect(is_near(MPI_Wtime() - begin, 1e-3), "pselect");
  begin = MPI_Wtime();
  ppoll(NULL, 0, &ms, NULL);
  expect(is_near(MPI_Wtime() - begin, 1e-3), "ppoll");
  begin = MPI_Wtime();
  expect(thrd_sleep(&ms, NULL) == 0 && is_near(MPI_Wtime() - begin, 1e-3), "thrd_sleep");
  begin = MPI_Wtime();
  sched_yield();
  expect(MPI_Wtime() - begin > 0.5e-6, "sched_yield");
  begin = MPI_Wtime();
  thrd_yield();
  expect(MPI_Wtime() - begin > 0.5e-6, "thrd_yield");
}

static void times_(void) {
  const time_t first_second = 1041379200; /* 1 January 2003, sw/hal/clock.c */
  struct timespec now;
  expect(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec == first_second && now.tv_nsec > 10000000,
         "timespec_get");
  struct timeval day;
  const time_t seconds = time(NULL);
  const struct tm* date = gmtime(&seconds);
  expect(seconds == first_second && date->tm_year == 103 && date->tm_yday == 0, "time is a date");
  expect(gettimeofday(&day, NULL) == 0 && day.tv_sec == first_second && day.tv_usec > 10000, "gettimeofday");
  expect(clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec == first_second, "clock_gettime of the calendar");
  expect(clock_gettime(CLOCK_MONOTONIC, &now) == 0 && now.tv_sec == 0, "clock_gettime of the time since the start");
  struct rusage used;
  expect(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_utime.tv_sec == 0 && used.ru_utime.tv_usec > 10000, "getrusage");
  struct tms ticks;
  struct timespec least;
  expect(clock_getres(CLOCK_MONOTONIC_COARSE, &least) == 0 && least.tv_sec == 0 && least.tv_nsec == 1, "clock_getres");
  errno = 0;
  expect(clock_getres(12345, &least) < 0 && errno == EINVAL, "clock_getres of no clock");
  errno = 0;
  expect(clock_gettime(12345, &now) < 0 && errno == EINVAL, "clock_gettime of no clock");
  expect(clock_nanosleep(12345, 0, &least, NULL) == EINVAL, "clock_nanosleep by no clock");
  expect(clock_settime(CLOCK_REALTIME, &now) < 0 && errno == EPERM, "the clock cannot be set");
  struct timeb parts;
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  expect(ftime(&parts) == 0 && parts.time == first_second && parts.millitm >= 10 && parts.millitm < 1000, "ftime");
  expect(times(&ticks) == 1 && ticks.tms_utime == 1 && ticks.tms_stime == 0, "times: a tick is 10 ms");
}

static void environment(void) {
  expect(getenv("HOME") != NULL, "the environment is there");
  setenv("VIRTUAL_WORLD", rank ? "one" : "zero", 1);
  setenv("VIRTUAL_WORLD", "another", 0);
  static char put[] = "VIRTUAL_PUT=a=b";
  putenv(put);
  MPI_Barrier(MPI_COMM_WORLD);
  expect(strcmp(getenv("VIRTUAL_WORLD"), rank ? "one" : "zero") == 0, "each rank's environment is its own");
  expect(strcmp(getenv("VIRTUAL_PUT"), "a=b") == 0, "putenv");
  expect(unsetenv("VIRTUAL_WORLD") == 0 && getenv("VIRTUAL_WORLD") == NULL, "unsetenv");
  expect(setenv("a=b", "", 1) < 0 && errno == EINVAL, "a name with = is none");
  expect(getenv("HOME") != NULL, "the others stay");
  expect(clearenv() == 0 && getenv("HOME") == NULL, "clearenv");
}

static volatile sig_atomic_t caught;

static void catch_it(int number) { caught = number; }

static void signals(void) {
  expect(signal(SIGUSR1, catch_it) == SIG_DFL && raise(SIGUSR1) == 0 && caught == SIGUSR1, "raise");
  const struct sigaction action = {.sa_handler = catch_it};
  struct sigaction before;
  expect(sigaction(SIGTERM, &action, &before) == 0 && before.sa_handler == SIG_DFL, "sigaction");
  expect(kill(getpid(), SIGTERM) == 0 && caught == SIGTERM, "kill itself");
  expect(kill(getpid() + 1000, SIGTERM) < 0 && errno == ESRCH, "kill another");
  expect(signal(SIGTERM, SIG_IGN) == catch_it && raise(SIGTERM) == 0, "an ignored signal");
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset */
  sigset(SIGTERM, catch_it);
  caught = 0;
  expect(raise(SIGTERM) == 0 && raise(SIGTERM) == 0 && caught == SIGTERM, "sigset");
  __sysv_signal(SIGTERM, catch_it);
  expect(raise(SIGTERM) == 0 && signal(SIGTERM, SIG_IGN) == SIG_DFL, "a System V handler is called once");
  sigset_t none;
  expect(pthread_sigmask(SIG_BLOCK, NULL, &none) == 0 && !sigismember(&none, SIGTERM), "pthread_sigmask");
}

static volatile int value_of_signal, values_of_signals;

static void catch_value(int number, siginfo_t* from, void* context) {
  (void)context;
  caught = number;
  value_of_signal = from->si_value.sival_int;
  values_of_signals = 10 * values_of_signals + value_of_signal;
}

static void signals_to_itself(void) {
  signal(SIGUSR1, catch_it);
  caught = 0;
  expect(pthread_kill(pthread_self(), SIGUSR1) == 0 && caught == SIGUSR1, "pthread_kill");
  caught = 0;
  expect(killpg(getpgrp(), SIGUSR1) == 0 && caught == SIGUSR1, "killpg");
  caught = 0;
  expect(kill(-getpgrp(), SIGUSR1) == 0 && caught == SIGUSR1, "kill of the group");
  const struct sigaction action = {.sa_sigaction = catch_value, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  expect(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 7}) == 0 && value_of_signal == 7, "sigqueue");
  expect(sigqueue(getpid() + 1000, SIGUSR1, (union sigval){0}) < 0 && errno == ESRCH, "sigqueue to another");
  static char room[1 << 16];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room}, present;
  expect(sigaltstack(&stack, NULL) == 0 && sigaltstack(NULL, &present) == 0 && present.ss_sp == room, "sigaltstack");
  stack.ss_size = 24;
  expect(sigaltstack(&stack, NULL) < 0 && errno == ENOMEM, "a stack that is too small");
}

static void blocked_signals_of_real_time(void) {
  const struct sigaction action = {.sa_sigaction = catch_value, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sighold(SIGRTMIN);
  value_of_signal = 0;
  for (int i = 1; i <= 3; ++i) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
  values_of_signals = 0;
  sigrelse(SIGRTMIN);
  expect(value_of_signal == 3 && values_of_signals == 123, "values come with blocked signals, in order");

  sighold(SIGUSR2);
  signal(SIGUSR2, catch_it);
  raise(SIGUSR2);
  signal(SIGUSR2, SIG_IGN);
  signal(SIGUSR2, catch_it);
  caught = 0;
  sigrelse(SIGUSR2);
  expect(!caught, "an ignored signal is discarded");
  signal(SIGUSR2, SIG_DFL);

  const struct timespec ms = {.tv_nsec = 1000000};
  sighold(SIGCHLD);
  raise(SIGCHLD);
  expect(pselect(0, NULL, NULL, NULL, &ms, &none) == 0, "a signal that does nothing ends no wait");
  sigrelse(SIGCHLD);
}

static sigjmp_buf behind_abort;

static void leave_abort(int number) {
  caught = number;
  siglongjmp(behind_abort, 1);
}

static void blocked_abort(void) {
  signal(SIGABRT, leave_abort);
  sighold(SIGABRT);
  caught = 0;
  if (sigsetjmp(behind_abort, 0) == 0) abort();
  expect(caught == SIGABRT, "abort calls its handler though it is blocked");
}

static void blocked_signals(void) {
  sigset_t set, before;
  signal(SIGUSR1, catch_it);
  caught = 0;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  expect(sigprocmask(SIG_BLOCK, &set, &before) == 0 && sigisemptyset(&before), "sigprocmask");
  expect(raise(SIGUSR1) == 0 && !caught, "a blocked signal waits");
  expect(sigpending(&set) == 0 && sigismember(&set, SIGUSR1), "sigpending");
  expect(sigprocmask(SIG_SETMASK, &before, &set) == 0 && caught && sigismember(&set, SIGUSR1), "and comes later");
  caught = 0;
  expect(sighold(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && !caught, "sighold");
  expect(sigsuspend(&before) < 0 && errno == EINTR && caught, "sigsuspend lets it through");
  caught = 0;
  expect(raise(SIGUSR1) == 0 && !caught && sigrelse(SIGUSR1) == 0 && caught, "sigrelse");
  caught = 0;
  expect(sigignore(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && !caught, "sigignore");

  signal(SIGALRM, catch_it);
  sighold(SIGALRM);
  const struct timespec ms = {.tv_nsec = 1000000};
  const double begin = MPI_Wtime();
  ualarm(500, 0);
  expect(nanosleep(&ms, NULL) == 0 && !caught, "an alarm that is blocked ends no sleep");
  ualarm(500, 0);
  expect(ppoll(NULL, 0, &ms, &before) < 0 && errno == EINTR && caught == SIGALRM, "but one that lets it through");
  expect(is_near(MPI_Wtime() - begin, 1e-3), "at once");
  sigrelse(SIGALRM);
  ualarm(0, 0);
}

static void alarms(void) {
  caught = 0;
  signal(SIGALRM, catch_it);
  expect(alarm(2) == 0 && alarm(1) == 2, "what is left of an alarm");
  double begin = MPI_Wtime();
  expect(sleep(3) == 2 && caught == SIGALRM, "an alarm ends a sleep");
  expect(MPI_Wtime() - begin > 0.9999 && MPI_Wtime() - begin < 1.0001, "an alarm rings at its time");
  expect(sleep(1) == 0, "an alarm rings once");

  caught = 0;
  ualarm(500, 0);
  begin = MPI_Wtime();
  while (!caught && MPI_Wtime() - begin < 1e-3) MPI_Barrier(MPI_COMM_SELF);
  expect(caught && MPI_Wtime() - begin < 0.51e-3, "an alarm rings after a call of MPI");

  caught = 0;
  const struct itimerval timer = {.it_value = {.tv_usec = 200}};
  struct timespec left, ms = {.tv_nsec = 1000000};
  setitimer(ITIMER_REAL, &timer, NULL);
  expect(nanosleep(&ms, &left) < 0 && errno == EINTR && left.tv_nsec / 1000 == 800, "a timer ends nanosleep");
  setitimer(ITIMER_REAL, &timer, NULL);
  expect(pause() < 0 && errno == EINTR, "pause until an alarm");
  caught = 0;
  setitimer(ITIMER_REAL, &timer, NULL);
  hal_compute_ps(300000000);
  expect(!caught && time(NULL) >= 0 && caught, "an alarm rings when a clock is read");

  signal(SIGALRM, SIG_IGN);
  setitimer(ITIMER_REAL, &timer, NULL);
  expect(nanosleep(&ms, NULL) == 0, "an alarm that is ignored ends no sleep");
  alarm(1);
  expect(alarm(0) == 1, "an alarm is taken back");
  signal(SIGALRM, SIG_DFL);
  struct timeval past = {.tv_usec = -1};
  expect(select(0, NULL, NULL, NULL, &past) < 0 && errno == EINVAL, "a negative time");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  names();
  sleeps();
  times_();
  environment();
  signals();
  signals_to_itself();
  blocked_signals();
  blocked_signals_of_real_time();
  blocked_abort();
  alarms();
  MPI_Finalize();
  if (argc > 1) raise(SIGUSR2);
  puts("all as it should be");
  return 0;
}
