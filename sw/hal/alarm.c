/* Alarms in simulated time (--wrap, cmake/Images.cmake; alarm.h says when they fire). */
#define _GNU_SOURCE
#include "sw/hal/alarm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "sw/hal/hal.h"
#include "sw/hal/signals.h"

#define NEVER UINT64_MAX

static uint64_t rings_at_ps = NEVER;
static uint64_t every_ps; /* and then again; 0: once */

int hal_ring_alarm(uint64_t now_ps) {
  if (now_ps < rings_at_ps) return 0;
  /* Several expirations that the program has not checked for count as one. */
  rings_at_ps = every_ps > 0 ? now_ps + every_ps - (now_ps - rings_at_ps) % every_ps : NEVER;
  struct sigaction action;
  if (hal_is_blocked(SIGALRM)) {
    raise(SIGALRM); /* later */
    return 0;
  }
  sigaction(SIGALRM, NULL, &action);
  if (action.sa_handler == SIG_DFL) {
    fflush(stdout);
    hal_abort("the program's alarm rang, and it has no handler for SIGALRM: set a longer alarm, or a handler");
  }
  if (action.sa_handler == SIG_IGN) return 0;
  const int before = errno;
  raise(SIGALRM);
  errno = before;
  return 1;
}

void hal_ring_alarm_if_set(void) {
  if (rings_at_ps != NEVER) hal_ring_alarm(hal_time_ps());
}

uint64_t hal_alarm_rings_at_ps(void) { return rings_at_ps; }

uint64_t hal_sleep_until_alarm(uint64_t ps) {
  if (rings_at_ps == NEVER) {
    hal_sleep_ps(ps);
    return 0;
  }
  uint64_t now = hal_time_ps();
  const uint64_t end = ps < NEVER - now ? now + ps : NEVER;
  do {
    const uint64_t until = rings_at_ps < end ? rings_at_ps : end;
    if (until > now) hal_sleep_ps(until - now);
    now = hal_time_ps();
    if (hal_ring_alarm(now)) return now < end ? end - now : 0;
  } while (now < end);
  return 0;
}

uint64_t hal_span_ps(uint64_t seconds, uint64_t ps) {
  uint64_t sum = 0;
  return __builtin_mul_overflow(seconds, HAL_PS_PER_S, &sum) || __builtin_add_overflow(sum, ps, &sum) ? NEVER : sum;
}

static uint64_t in_ps(const struct timeval* span) {
  return hal_span_ps((uint64_t)span->tv_sec, (uint64_t)span->tv_usec * HAL_PS_PER_US);
}

static struct timeval from_ps(uint64_t ps) {
  return (struct timeval){(time_t)(ps / HAL_PS_PER_S), (suseconds_t)(ps % HAL_PS_PER_S / HAL_PS_PER_US)};
}

int __wrap_getitimer(__itimer_which_t which, struct itimerval* timer) {
  memset(timer, 0, sizeof *timer);
  if (which != ITIMER_REAL || rings_at_ps == NEVER) return 0;
  const uint64_t now = hal_time_ps();
  timer->it_value = from_ps(rings_at_ps > now ? rings_at_ps - now : HAL_PS_PER_US);
  timer->it_interval = from_ps(every_ps);
  return 0;
}

/* Timers of CPU time never fire: see alarm.h. */
int __wrap_setitimer(__itimer_which_t which, const struct itimerval* timer, struct itimerval* before) {
  if (before != NULL) __wrap_getitimer(which, before);
  if (which != ITIMER_REAL) return 0;
  const uint64_t span = in_ps(&timer->it_value), now = span > 0 ? hal_time_ps() : 0;
  rings_at_ps = span > 0 && span < NEVER - now ? now + span : NEVER;
  every_ps = in_ps(&timer->it_interval);
  return 0;
}

static struct itimerval set(uint64_t span_ps, uint64_t interval_ps) {
  const struct itimerval timer = {.it_value = from_ps(span_ps), .it_interval = from_ps(interval_ps)};
  struct itimerval before;
  __wrap_setitimer(ITIMER_REAL, &timer, &before);
  return before;
}

/* The rest of an alarm that is set is never 0. */
unsigned __wrap_alarm(unsigned seconds) {
  const struct timeval left = set(hal_span_ps(seconds, 0), 0).it_value;
  const int rounds_up = left.tv_usec >= 500000 || (left.tv_sec == 0 && left.tv_usec > 0);
  return (unsigned)(left.tv_sec + rounds_up);
}

useconds_t __wrap_ualarm(useconds_t us, useconds_t interval_us) {
  const struct timeval left = set(us * HAL_PS_PER_US, interval_us * HAL_PS_PER_US).it_value;
  return (useconds_t)(left.tv_sec * (time_t)(HAL_PS_PER_S / HAL_PS_PER_US) + left.tv_usec);
}

int __wrap_timer_create(void) {
  hal_abort("the program called timer_create: let it use setitimer(ITIMER_REAL, ...), which rings in simulated time");
}

/* Only an alarm ends it: no other signal comes from outside. */
static int wait_for_signal(const char* message) {
  if (rings_at_ps == NEVER) hal_abort(message);
  hal_sleep_until_alarm(NEVER);
  errno = EINTR;
  return -1;
}

#define NONE_COMES ", and no alarm is set: no signal ever comes from outside; let ranks wait for messages"

int __wrap_pause(void) { return wait_for_signal("the program called pause" NONE_COMES); }
int __wrap_sigsuspend(const sigset_t* mask) {
  sigset_t before;
  if (!hal_change_mask(mask, &before)) wait_for_signal("the program called sigsuspend" NONE_COMES);
  hal_change_mask(&before, NULL);
  errno = EINTR;
  return -1;
}
