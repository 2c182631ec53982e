/* Calls that a signal ends: with SA_RESTART some are made again, others never. What is ignored is pending no more. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sem_t given;
static volatile int caught, calls_from_handler;

static void on_alarm(int signal) {
  (void)signal;
  ++caught;
  if (calls_from_handler) poll(NULL, 0, 1);
}

/* After the alarm, which comes when the call has begun: 50 ms are enough on a busy computer, too. */
static void* give_later(void* nothing) {
  while (!caught) usleep(1000);
  usleep(20000);
  if (write(ends[1], "x", 1) != 1) return nothing;
  sem_post(&given);
  return nothing;
}

static int read_byte(void) {
  char byte;
  return (int)read(ends[0], &byte, 1);
}
static int wait_for_semaphore(void) { return sem_wait(&given); }
/* The alarm ends these, however late it comes on a busy computer. */
static int sleep_long(void) { return nanosleep(&(struct timespec){10, 0}, NULL); }
static int poll_long(void) { return poll(NULL, 0, 10000); }
static int wait_with_limit(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 100;
  return sem_timedwait(&given, &until);
}

static void try(const char* name, int (*call)(void), int flags) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = flags};
  sigset_t set, before;
  pthread_t thread;
  sigaction(SIGALRM, &action, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  sem_init(&given, 0, 0);
  caught = 0;
  pthread_create(&thread, NULL, give_later, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 50000}}, NULL);
  const int result = call();
  const char* const error = result < 0 ? strerrorname_np(errno) : "-";
  printf("%s %s%s: %d %s, caught %d\n", name, flags ? "SA_RESTART" : "plain", calls_from_handler ? ", polls" : "",
         result, error, caught);
  pthread_join(thread, NULL);
  if (call != read_byte || result < 0) read_byte();
}

static void ignore_what_is_pending(void) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGTERM);
  kill(getpid(), SIGTERM);
  sigpending(&pending);
  printf("pending %d", sigismember(&pending, SIGTERM));
  signal(SIGTERM, SIG_IGN);
  sigpending(&pending);
  printf(", and ignored %d\n", sigismember(&pending, SIGTERM));
  signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(void) {
  static const struct {
    const char* name;
    int (*call)(void);
  } calls[] = {{"read", read_byte},
               {"sem_wait", wait_for_semaphore},
               {"nanosleep", sleep_long},
               {"poll", poll_long},
               {"sem_timedwait", wait_with_limit}};
  if (pipe(ends) != 0) return 1;
  for (calls_from_handler = 0; calls_from_handler < 2; ++calls_from_handler)
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; ++i) {
      try(calls[i].name, calls[i].call, 0);
      try(calls[i].name, calls[i].call, SA_RESTART);
    }
  ignore_what_is_pending();
  return 0;
}
