/* Signals are within the process (--wrap, cmake/Images.cmake): handlers are kept here, and signals that the program
 * sends to itself call them. None reaches the simulator, none comes from outside; alarm.c has alarms. */
#define _GNU_SOURCE
#include "sw/hal/signals.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/hal.h"

static struct sigaction actions[NSIG];
static sigset_t blocked;               /* by the program; in addition, those with a running handler */
static unsigned char is_handled[NSIG]; /* its handler runs */
static int delivers;                   /* pending ones, in a row */

struct sent {
  int number, code;
  union sigval value;
};

#define WAITING_MOST 256
static struct sent waiting[WAITING_MOST]; /* blocked ones, in order */
static int waiting_count;

static int fail(int error) {
  errno = error;
  return -1;
}

static int is_signal(int number) {
  if (number > 0 && number < NSIG) return 1;
  errno = EINVAL;
  return 0;
}

static int is_ignored(int number) {
  const sighandler_t handler = actions[number].sa_handler;
  const int does_nothing = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
  return handler == SIG_IGN || (handler == SIG_DFL && does_nothing);
}

static struct sent take_waiting(int place) {
  const struct sent taken = waiting[place];
  memmove(&waiting[place], &waiting[place + 1], (size_t)(--waiting_count - place) * sizeof *waiting);
  return taken;
}

static int is_waiting(int number) {
  int place = 0;
  while (place < waiting_count && waiting[place].number != number) ++place;
  return place < waiting_count;
}

/* The simulator ends a process for a signal of the computer, such as that of a broken pipe, unless it knows of a
 * handler. */
static void tell_handled(void) {
  if (hal_host_calls == NULL) return;
  uint64_t handled = 0;
  for (int number = 1; number < 64; ++number)
    if (actions[number].sa_handler != SIG_DFL) handled |= UINT64_C(1) << number;
  hal_host_calls->calls->signals_handled(hal_host_calls->self, handled);
}

int __wrap_sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (!is_signal(number)) return -1;
  if (before != NULL) *before = actions[number];
  if (action == NULL) return 0;
  actions[number] = *action;
  tell_handled();
  if (!is_ignored(number)) return 0;
  for (int place = waiting_count - 1; place >= 0; --place)
    if (waiting[place].number == number) take_waiting(place);
  return 0;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags) {
  struct sigaction before;
  const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  return __wrap_sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

sighandler_t __wrap_signal(int number, sighandler_t handler) { return set_handler(number, handler, 0); }
sighandler_t __wrap_bsd_signal(int number, sighandler_t handler) { return set_handler(number, handler, 0); }
/* The meaning of signal with -std=c11 and its like: the handler is called once. */
sighandler_t __wrap___sysv_signal(int number, sighandler_t handler) {
  return set_handler(number, handler, (int)SA_RESETHAND);
}

/* While a handler runs, its own signal is blocked, and those that the handler's action names. */
int hal_is_blocked(int number) {
  if (sigismember(&blocked, number)) return 1;
  if (is_handled[number] && !(actions[number].sa_flags & (int)SA_NODEFER)) return 1;
  for (int other = 1; other < NSIG; ++other)
    if (is_handled[other] && sigismember(&actions[other].sa_mask, number)) return 1;
  return 0;
}

/* A jump ends the handlers that it may leave; Linux ends their blocking by siglongjmp alone. */
#define JUMP(name)                                                                    \
  __attribute__((noreturn)) void __real_##name(struct __jmp_buf_tag* to, int);        \
  __attribute__((noreturn)) void __wrap_##name(struct __jmp_buf_tag* to, int value) { \
    memset(is_handled, 0, sizeof is_handled);                                         \
    delivers = 0;                                                                     \
    __real_##name(to, value);                                                         \
  }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

static int deliver_unblocked(void);

/* Calls the handler, if any. Returns whether there was one. */
static int handle(const struct sent* signal) {
  const int number = signal->number;
  const struct sigaction action = actions[number];
  if (is_ignored(number)) return 0;
  if (action.sa_handler == SIG_DFL) {
    char text[128];
    snprintf(text, sizeof text, "the program raised signal %d (%s), for which it has no handler", number,
             strsignal(number));
    fflush(stdout);
    hal_abort(text);
  }
  if (action.sa_flags & (int)SA_RESETHAND) actions[number].sa_handler = SIG_DFL;
  siginfo_t from = {.si_signo = number, .si_code = signal->code, .si_pid = getpid()};
  from.si_value = signal->value;
  const unsigned char before = is_handled[number];
  is_handled[number] = 1;
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, &from, NULL);
  else
    action.sa_handler(number);
  is_handled[number] = before;
  if (waiting_count > 0 && !delivers) deliver_unblocked();
  return 1;
}

/* A signal that is not a real-time signal is pending at most once per number. */
static int deliver(int number, int code, union sigval value) {
  if (!is_signal(number)) return -1;
  const struct sent signal = {number, code, value};
  if (!hal_is_blocked(number)) {
    handle(&signal);
  } else if (number >= SIGRTMIN || !is_waiting(number)) {
    if (waiting_count == WAITING_MOST) return fail(EAGAIN);
    waiting[waiting_count++] = signal;
  }
  return 0;
}

int __wrap_raise(int number) { return deliver(number, SI_USER, (union sigval){0}); }

/* 0 only asks whether there is such a process. */
static int signal_send(int is_itself, int number) {
  if (!is_itself) return fail(ESRCH);
  return number == 0 ? 0 : __wrap_raise(number);
}

/* The process is the only one in its group. */
int __wrap_kill(pid_t process, int number) {
  return signal_send(process == getpid() || process == 0 || process == -getpgrp(), number);
}

int __wrap_killpg(pid_t group, int number) { return signal_send(group == 0 || group == getpgrp(), number); }
int __wrap_tgkill(pid_t process, pid_t thread, int number) {
  return signal_send(process == getpid() && thread == gettid(), number);
}

int __wrap_pthread_kill(pthread_t thread, int number) {
  const int before = errno, error = signal_send(pthread_equal(thread, pthread_self()), number) == 0 ? 0 : errno;
  errno = before;
  return error;
}

int __wrap_sigqueue(pid_t process, int number, const union sigval value) {
  if (process != getpid() || number == 0) return __wrap_kill(process, number);
  return deliver(number, SI_QUEUE, value);
}

/* ---- blocked signals ---- */
/* The lowest number first. A handler that is called may change the mask in turn. */
static int deliver_unblocked(void) {
  int count = 0;
  const int before = delivers;
  delivers = 1;
  for (int number = 1; number < NSIG; ++number) {
    int place = 0;
    while (place < waiting_count && !hal_is_blocked(number)) {
      if (waiting[place].number != number) {
        ++place;
        continue;
      }
      const struct sent signal = take_waiting(place);
      count += handle(&signal);
      place = 0; /* the handler may have sent, or waited for, others */
    }
  }
  delivers = before;
  return count;
}

int hal_change_mask(const sigset_t* mask, sigset_t* before) {
  if (before != NULL) *before = blocked;
  if (mask == NULL) return 0;
  blocked = *mask;
  sigdelset(&blocked, SIGKILL);
  sigdelset(&blocked, SIGSTOP);
  return waiting_count == 0 ? 0 : deliver_unblocked();
}

int __wrap_pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  sigset_t mask = blocked;
  if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  if (set != NULL && how == SIG_SETMASK) mask = *set;
  for (int number = 1; number < NSIG && set != NULL && how != SIG_SETMASK; ++number)
    if (sigismember(set, number)) (how == SIG_BLOCK ? sigaddset : sigdelset)(&mask, number);
  hal_change_mask(set != NULL ? &mask : NULL, before);
  return 0;
}

int __wrap_sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  const int error = __wrap_pthread_sigmask(how, set, before);
  return error == 0 ? 0 : fail(error);
}

int __wrap_sigpending(sigset_t* set) {
  sigemptyset(set);
  for (int place = 0; place < waiting_count; ++place) sigaddset(set, waiting[place].number);
  return 0;
}

/* ---- System V's ---- */
static int mask_one(int how, int number) {
  sigset_t one;
  sigemptyset(&one);
  return sigaddset(&one, number) == 0 ? __wrap_sigprocmask(how, &one, NULL) : -1;
}

int __wrap_sighold(int number) { return mask_one(SIG_BLOCK, number); }
int __wrap_sigrelse(int number) { return mask_one(SIG_UNBLOCK, number); }
int __wrap_sigignore(int number) { return set_handler(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

sighandler_t __wrap_sigset(int number, sighandler_t handler) {
  if (!is_signal(number)) return SIG_ERR;
  const int was_held = sigismember(&blocked, number);
  const sighandler_t before = handler == SIG_HOLD ? actions[number].sa_handler : set_handler(number, handler, 0);
  mask_one(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number);
  return was_held ? SIG_HOLD : before;
}

/* ---- */
/* Keeps the alternate stack of the simulator's own handlers. The program's handlers run on the program's stack. */
int __wrap_sigaltstack(const stack_t* stack, stack_t* before) {
  static stack_t present = {.ss_flags = SS_DISABLE};
  const stack_t old = present;
  if (stack != NULL) {
    const int is_set = !(stack->ss_flags & SS_DISABLE);
    if (is_set && stack->ss_flags != 0) return fail(EINVAL);
    if (is_set && stack->ss_size < (size_t)MINSIGSTKSZ) return fail(ENOMEM);
    present = *stack;
  }
  if (before != NULL) *before = old;
  return 0;
}

#define REFUSE(call)                                                                                     \
  int __wrap_##call(void) {                                                                              \
    hal_abort("the program called " #call ": no signal ever comes from outside; let it have a handler"); \
  }
REFUSE(sigwait)
REFUSE(sigwaitinfo)
REFUSE(sigtimedwait)
