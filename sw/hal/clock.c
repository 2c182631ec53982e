/* The C library's clocks and sleeps tell simulated time (--wrap, cmake/Images.cmake). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "sw/hal/alarm.h"
#include "sw/hal/hal.h"
#include "sw/hal/signals.h"

#define YIELD_PS HAL_PS_PER_US /* a system call and a check of the run queue: assumed */

/* The calendar time at which a run begins, 1 January 2003, 0:00 UTC (A): programs seed generators by the date, and
 * would otherwise all have seed 0. Spans are as long as those of the other clocks, which begin at 0. */
#define FIRST_SECOND 1041379200

static int fail(int error) {
  errno = error;
  return -1;
}

/* Reads the clock for the program: an alarm that is due fires. */
static uint64_t read_clock_ps(void) {
  hal_look_for_others();
  const uint64_t now = hal_time_ps();
  return hal_ring_alarm(now) ? hal_time_ps() : now;
}

static struct timespec from_ps(uint64_t ps) {
  return (struct timespec){(time_t)(ps / HAL_PS_PER_S), (long)(ps % HAL_PS_PER_S / HAL_PS_PER_NS)};
}

time_t __wrap_time(time_t* result) {
  const time_t seconds = FIRST_SECOND + (time_t)(read_clock_ps() / HAL_PS_PER_S);
  if (result != NULL) *result = seconds;
  return seconds;
}

static struct timeval since_start(void) {
  const uint64_t ps = read_clock_ps();
  return (struct timeval){(time_t)(ps / HAL_PS_PER_S), (suseconds_t)(ps % HAL_PS_PER_S / HAL_PS_PER_US)};
}

int __wrap_gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  *now = since_start();
  now->tv_sec += FIRST_SECOND;
  return 0;
}

/* Clocks of processes and threads are negative. */
static int is_clock(clockid_t clock) {
  if (clock < 0) return (clock & 3) != 3;
  return clock <= CLOCK_BOOTTIME_ALARM || clock == CLOCK_TAI;
}

/* The second that the clock shows when a run begins. */
static time_t first_second(clockid_t clock) {
  const int is_calendar =
      clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
  return is_calendar ? FIRST_SECOND : 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec* now) {
  if (!is_clock(clock)) return fail(EINVAL);
  *now = from_ps(read_clock_ps());
  now->tv_sec += first_second(clock);
  return 0;
}

/* The finest resolution of the interface. */
int __wrap_clock_getres(clockid_t clock, struct timespec* least) {
  if (!is_clock(clock)) return fail(EINVAL);
  if (least != NULL) *least = (struct timespec){.tv_nsec = 1};
  return 0;
}

/* Simulated time cannot be set, nor may a program set that of the simulating computer. */
int __wrap_clock_settime(clockid_t clock, const struct timespec* now) {
  (void)now;
  return fail(is_clock(clock) ? EPERM : EINVAL);
}

int __wrap_settimeofday(const struct timeval* now, const void* zone) {
  (void)now, (void)zone;
  return fail(EPERM);
}

__attribute__((weak)) int ftime(struct timeb* now) {
  const uint64_t ps = read_clock_ps();
  *now = (struct timeb){.time = FIRST_SECOND + (time_t)(ps / HAL_PS_PER_S),
                        .millitm = (unsigned short)(ps % HAL_PS_PER_S / HAL_PS_PER_MS)};
  return 0;
}

clock_t __wrap_clock(void) { return (clock_t)(read_clock_ps() / (HAL_PS_PER_S / CLOCKS_PER_SEC)); }

int __wrap_timespec_get(struct timespec* now, int base) {
  if (base == TIME_UTC) __wrap_clock_gettime(CLOCK_REALTIME, now);
  return base == TIME_UTC ? base : 0;
}

/* A process has a CPU for itself: all elapsed time counts as used. */
clock_t __wrap_times(struct tms* used) {
  const clock_t ticks = (clock_t)(read_clock_ps() / (HAL_PS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
  if (used != NULL) *used = (struct tms){.tms_utime = ticks};
  return ticks;
}

int __wrap_getrusage(int who, struct rusage* used) {
  memset(used, 0, sizeof *used);
  if (who != RUSAGE_CHILDREN) used->ru_utime = since_start();
  return 0;
}

static uint64_t in_ps(const struct timespec* span) {
  return hal_span_ps((uint64_t)span->tv_sec, (uint64_t)span->tv_nsec * HAL_PS_PER_NS);
}

static int is_span(const struct timespec* span) {
  return span->tv_sec >= 0 && span->tv_nsec >= 0 && span->tv_nsec < (long)(HAL_PS_PER_S / HAL_PS_PER_NS);
}

/* An alarm ends a sleep early. */
static int sleep_or_fail(uint64_t ps) { return hal_sleep_until_alarm(ps) > 0 ? fail(EINTR) : 0; }

int __wrap_nanosleep(const struct timespec* span, struct timespec* left) {
  if (!is_span(span)) return fail(EINVAL);
  const uint64_t left_ps = hal_sleep_until_alarm(in_ps(span));
  if (left != NULL) *left = from_ps(left_ps);
  return left_ps > 0 ? fail(EINTR) : 0;
}

int __wrap_usleep(useconds_t us) { return sleep_or_fail(us * HAL_PS_PER_US); }

unsigned __wrap_sleep(unsigned seconds) {
  return (unsigned)((hal_sleep_until_alarm(hal_span_ps(seconds, 0)) + HAL_PS_PER_S / 2) / HAL_PS_PER_S);
}

/* From now on; 0 for a time in the past. A date in picoseconds would be too large a number. */
static uint64_t ps_until(clockid_t clock, struct timespec date) {
  if (date.tv_sec < first_second(clock)) return 0;
  date.tv_sec -= first_second(clock);
  const uint64_t now = read_clock_ps(), wanted = in_ps(&date);
  return wanted > now ? wanted - now : 0;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec* span, struct timespec* left) {
  if (!is_clock(clock) || !is_span(span)) return EINVAL;
  const uint64_t ps = flags & TIMER_ABSTIME ? ps_until(clock, *span) : in_ps(span);
  const uint64_t left_ps = ps > 0 ? hal_sleep_until_alarm(ps) : 0;
  if (left != NULL && !(flags & TIMER_ABSTIME)) *left = from_ps(left_ps);
  return left_ps > 0 ? EINTR : 0;
}

int __wrap_sched_yield(void) {
  hal_sleep_until_alarm(YIELD_PS);
  return 0;
}

int __wrap_thrd_sleep(const struct timespec* span, struct timespec* left) {
  if (__wrap_nanosleep(span, left) == 0) return 0;
  return errno == EINTR ? -1 : -2;
}

void __wrap_thrd_yield(void) { __wrap_sched_yield(); }

/* Without descriptors these are sleeps. With some they are files and terminals of the simulating computer. */
int __real_select(int count, fd_set* read, fd_set* write, fd_set* except, struct timeval* timeout);

int __wrap_select(int count, fd_set* read, fd_set* write, fd_set* except, struct timeval* timeout) {
  if (timeout == NULL || read != NULL || write != NULL || except != NULL)
    return __real_select(count, read, write, except, timeout);
  if (timeout->tv_sec < 0 || timeout->tv_usec < 0) return fail(EINVAL);
  return sleep_or_fail(hal_span_ps((uint64_t)timeout->tv_sec, (uint64_t)timeout->tv_usec * HAL_PS_PER_US));
}

int __real_poll(struct pollfd* descriptors, nfds_t count, int milliseconds);

int __wrap_poll(struct pollfd* descriptors, nfds_t count, int milliseconds) {
  if (count > 0 || milliseconds < 0) return __real_poll(descriptors, count, milliseconds);
  return sleep_or_fail((uint64_t)milliseconds * HAL_PS_PER_MS);
}

/* A signal that the mask lets through ends the sleep, too. */
static int masked_sleep(const struct timespec* span, const sigset_t* mask) {
  if (!is_span(span)) return fail(EINVAL);
  sigset_t before;
  const int result = hal_change_mask(mask, &before) ? fail(EINTR) : sleep_or_fail(in_ps(span)), error = errno;
  hal_change_mask(&before, NULL);
  errno = error;
  return result;
}

int __real_pselect(int count, fd_set* read, fd_set* write, fd_set* except, const struct timespec* timeout,
                   const sigset_t* mask);

int __wrap_pselect(int count, fd_set* read, fd_set* write, fd_set* except, const struct timespec* timeout,
                   const sigset_t* mask) {
  if (timeout == NULL || read != NULL || write != NULL || except != NULL)
    return __real_pselect(count, read, write, except, timeout, mask);
  return masked_sleep(timeout, mask);
}

int __real_ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* timeout, const sigset_t* mask);

int __wrap_ppoll(struct pollfd* descriptors, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  if (count > 0 || timeout == NULL) return __real_ppoll(descriptors, count, timeout, mask);
  return masked_sleep(timeout, mask);
}
