/* Signals are within the process (--wrap, cmake/Images.cmake): handlers are kept here, and what the program sends to
 * itself calls them. None reaches the simulator, none comes from outside. An alarm never rings: what it guards against,
 * a program that hangs, the simulator finds out by itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "sw/hal/hal.h"

static struct sigaction actions[NSIG];

static int is_signal(int number) {
  if (number > 0 && number < NSIG) return 1;
  errno = EINVAL;
  return 0;
}

int __wrap_sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (!is_signal(number)) return -1;
  if (before != NULL) *before = actions[number];
  if (action != NULL) actions[number] = *action;
  return 0;
}

sighandler_t __wrap_signal(int number, sighandler_t handler) {
  struct sigaction before;
  const struct sigaction action = {.sa_handler = handler};
  return __wrap_sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

int __wrap_raise(int number) {
  if (!is_signal(number)) return -1;
  const struct sigaction action = actions[number];
  if (action.sa_handler == SIG_IGN) return 0;
  if (action.sa_handler == SIG_DFL) {
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return 0;
    char text[128];
    snprintf(text, sizeof text, "the program raised signal %d (%s), for which it has no handler", number,
             strsignal(number));
    fflush(stdout);
    hal_abort(text);
  }
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, &(siginfo_t){.si_signo = number, .si_pid = getpid()}, NULL);
  else
    action.sa_handler(number);
  return 0;
}

int __wrap_kill(pid_t process, int number) {
  if (process == getpid() || process == 0) return number == 0 ? 0 : __wrap_raise(number);
  errno = ESRCH;
  return -1;
}

int __wrap_sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  (void)how, (void)set;
  if (before != NULL) sigemptyset(before);
  return 0;
}

unsigned __wrap_alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

int __wrap_setitimer(__itimer_which_t which, const struct itimerval* timer, struct itimerval* before) {
  (void)which, (void)timer;
  if (before != NULL) memset(before, 0, sizeof *before);
  return 0;
}

int __wrap_pause(void) { hal_abort("the program called pause: no signal ever comes from outside"); }
