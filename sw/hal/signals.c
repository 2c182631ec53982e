/* Signals are within the process (--wrap, cmake/Images.cmake): handlers are kept here, and what the program sends to
 * itself calls them. None reaches the simulator, none comes from outside; alarm.c has alarms. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction before;
  const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  return __wrap_sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

sighandler_t __wrap_signal(int number, sighandler_t handler) { return set_handler(number, handler, 0); }
sighandler_t __wrap_bsd_signal(int number, sighandler_t handler) { return set_handler(number, handler, 0); }
sighandler_t __wrap_sigset(int number, sighandler_t handler) { return set_handler(number, handler, 0); }
/* What signal means with -std=c11 and its like: the handler is called once. */
sighandler_t __wrap___sysv_signal(int number, sighandler_t handler) {
  return set_handler(number, handler, (int)SA_RESETHAND);
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
  if (action.sa_flags & (int)SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
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

int __wrap_pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  return __wrap_sigprocmask(how, set, before);
}

#define REFUSE(call)                                                                                     \
  int __wrap_##call(void) {                                                                              \
    hal_abort("the program called " #call ": no signal ever comes from outside; let it have a handler"); \
  }
REFUSE(sigwait)
REFUSE(sigwaitinfo)
REFUSE(sigtimedwait)
