/* ppoll and pselect with masks: a signal that only they let through ends them; behind them the mask is as before. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int ends[2];

static void on_signal(int signal) { caught = caught * 10 + (signal == SIGUSR1 ? 1 : 2); }

static int is_blocked(int signal) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, signal);
}

static void tell(const char* what, int result) {
  const char* const error = result < 0 ? strerrorname_np(errno) : "-";
  printf("%s: %d %s, caught %d, blocked %d %d\n", what, result, error, (int)caught, is_blocked(SIGUSR1),
         is_blocked(SIGUSR2));
  caught = 0;
}

static int polled(const sigset_t* mask, long ns) {
  struct pollfd file = {ends[0], POLLIN, 0};
  const struct timespec span = {0, ns};
  return ppoll(&file, 1, ns < 0 ? NULL : &span, mask);
}

static int selected(const sigset_t* mask, long ns) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(ends[0], &files);
  const struct timespec span = {0, ns};
  return pselect(ends[0] + 1, &files, NULL, NULL, ns < 0 ? NULL : &span, mask);
}

static void try(const char* name, int (*wait)(const sigset_t*, long)) {
  sigset_t none, second;
  sigemptyset(&none);
  sigemptyset(&second);
  sigaddset(&second, SIGUSR2);
  printf("%s\n", name);
  tell("nothing comes", wait(&none, 1000000));
  raise(SIGUSR1);
  tell("pending, without a mask", wait(NULL, 1000000));
  tell("pending, let through", wait(&none, -1));
  raise(SIGUSR1);
  tell("pending, and no time", wait(&none, 0));
  raise(SIGUSR1);
  raise(SIGUSR2);
  tell("one of two", wait(&second, -1));
  tell("the other", wait(&none, -1));
  const int written = write(ends[1], "x", 1) == 1;
  raise(SIGUSR1);
  tell("a byte, and a signal without a mask", wait(NULL, -1));
  tell("both, with a mask", wait(&none, -1));
  char byte;
  tell("the signal", read(ends[0], &byte, 1) == written ? wait(&none, -1) : 9);
  alarm(1);
  tell("while it waits", wait(&none, -1));
  tell("wrong mask", wait((const sigset_t*)8, 0));
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  if (pipe(ends) != 0) return 1;
  try("ppoll", polled);
  try("pselect", selected);
  return 0;
}
