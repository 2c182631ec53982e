/* The C library's clocks and sleeps tell simulated time (--wrap, cmake/Images.cmake). */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "sw/hal/hal.h"

#define PS_PER_NS 1000ull
#define PS_PER_US 1000000ull
#define PS_PER_MS 1000000000ull
#define PS_PER_S 1000000000000ull
#define YIELD_PS PS_PER_US /* a system call and a look at the queue of the ready: assumed */

time_t __wrap_time(time_t* result) {
  const time_t seconds = (time_t)(hal_time_ps() / PS_PER_S);
  if (result != NULL) *result = seconds;
  return seconds;
}

int __wrap_gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  const uint64_t ps = hal_time_ps();
  now->tv_sec = (time_t)(ps / PS_PER_S);
  now->tv_usec = (suseconds_t)(ps % PS_PER_S / PS_PER_US);
  return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec* now) {
  (void)clock;
  const uint64_t ps = hal_time_ps();
  now->tv_sec = (time_t)(ps / PS_PER_S);
  now->tv_nsec = (long)(ps % PS_PER_S / PS_PER_NS);
  return 0;
}

clock_t __wrap_clock(void) { return (clock_t)(hal_time_ps() / (PS_PER_S / CLOCKS_PER_SEC)); }

int __wrap_timespec_get(struct timespec* now, int base) {
  if (base == TIME_UTC) __wrap_clock_gettime(CLOCK_REALTIME, now);
  return base == TIME_UTC ? base : 0;
}

/* A process has a CPU for itself: it has used whatever time has passed. */
clock_t __wrap_times(struct tms* used) {
  const clock_t ticks = (clock_t)(hal_time_ps() / (PS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
  if (used != NULL) *used = (struct tms){.tms_utime = ticks};
  return ticks;
}

int __wrap_getrusage(int who, struct rusage* used) {
  memset(used, 0, sizeof *used);
  return who == RUSAGE_CHILDREN ? 0 : __wrap_gettimeofday(&used->ru_utime, NULL);
}

static uint64_t in_ps(const struct timespec* span) {
  return (uint64_t)span->tv_sec * PS_PER_S + (uint64_t)span->tv_nsec * PS_PER_NS;
}

static int is_span(const struct timespec* span) {
  return span->tv_sec >= 0 && span->tv_nsec >= 0 && span->tv_nsec < (long)(PS_PER_S / PS_PER_NS);
}

int __wrap_nanosleep(const struct timespec* span, struct timespec* left) {
  if (!is_span(span)) {
    errno = EINVAL;
    return -1;
  }
  hal_sleep_ps(in_ps(span));
  if (left != NULL) *left = (struct timespec){0, 0};
  return 0;
}

int __wrap_usleep(useconds_t us) {
  hal_sleep_ps(us * PS_PER_US);
  return 0;
}

unsigned __wrap_sleep(unsigned seconds) {
  hal_sleep_ps(seconds * PS_PER_S);
  return 0;
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec* span, struct timespec* left) {
  (void)clock;
  if (!is_span(span)) return EINVAL;
  const uint64_t now = flags & TIMER_ABSTIME ? hal_time_ps() : 0, wanted = in_ps(span);
  if (wanted > now) hal_sleep_ps(wanted - now);
  if (left != NULL && !(flags & TIMER_ABSTIME)) *left = (struct timespec){0, 0};
  return 0;
}

int __wrap_sched_yield(void) {
  hal_sleep_ps(YIELD_PS);
  return 0;
}

/* Without descriptors these are sleeps. With some they are files and terminals of the simulating computer. */
int __real_select(int count, fd_set* read, fd_set* write, fd_set* except, struct timeval* timeout);

int __wrap_select(int count, fd_set* read, fd_set* write, fd_set* except, struct timeval* timeout) {
  if (timeout == NULL || read != NULL || write != NULL || except != NULL)
    return __real_select(count, read, write, except, timeout);
  hal_sleep_ps((uint64_t)timeout->tv_sec * PS_PER_S + (uint64_t)timeout->tv_usec * PS_PER_US);
  return 0;
}

int __real_poll(struct pollfd* descriptors, nfds_t count, int milliseconds);

int __wrap_poll(struct pollfd* descriptors, nfds_t count, int milliseconds) {
  if (count > 0 || milliseconds < 0) return __real_poll(descriptors, count, milliseconds);
  hal_sleep_ps((uint64_t)milliseconds * PS_PER_MS);
  return 0;
}
