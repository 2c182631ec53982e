/* The C library's clocks and sleeps tell simulated time (--wrap, cmake/Images.cmake). */
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "sw/hal/hal.h"

#define PS_PER_NS 1000ull
#define PS_PER_US 1000000ull
#define PS_PER_S 1000000000000ull

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

int __wrap_nanosleep(const struct timespec* span, struct timespec* left) {
  if (span->tv_sec < 0 || span->tv_nsec < 0 || span->tv_nsec > 999999999) {
    errno = EINVAL;
    return -1;
  }
  hal_sleep_ps((uint64_t)span->tv_sec * PS_PER_S + (uint64_t)span->tv_nsec * PS_PER_NS);
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
