/* What a program learns of its computer from the C library is the virtual machine's: names, process numbers, times of
 * all kinds, sleeps of all kinds, an environment and signals of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/times.h>
#include <sys/utsname.h>
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
  struct timeval span = {.tv_usec = 3000};
  begin = MPI_Wtime();
  select(0, NULL, NULL, NULL, &span);
  expect(is_near(MPI_Wtime() - begin, 3e-3), "select");
  begin = MPI_Wtime();
  poll(NULL, 0, 4);
  expect(is_near(MPI_Wtime() - begin, 4e-3), "poll");
  begin = MPI_Wtime();
  sched_yield();
  expect(MPI_Wtime() - begin > 0.5e-6, "sched_yield");
}

static void times_(void) {
  struct timespec now;
  expect(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec == 0 && now.tv_nsec > 10000000, "timespec_get");
  struct rusage used;
  expect(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_utime.tv_sec == 0 && used.ru_utime.tv_usec > 10000, "getrusage");
  struct tms ticks;
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
  alarm(1); /* never rings */
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  names();
  sleeps();
  times_();
  environment();
  signals();
  MPI_Finalize();
  if (argc > 1) raise(SIGUSR2);
  puts("all as it should be");
  return 0;
}
