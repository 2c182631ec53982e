/* Locks of files (--wrap, cmake/Images.cmake). All ranks are one process of the simulating computer, which owns all
 * POSIX locks; locks of open file descriptions tell ranks apart. A lock that another rank holds is retried in simulated
 * time: waiting for it would stop the simulator, and with it the rank that holds it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <unistd.h>

#include "sw/hal/hal.h"

/* The interval of retries (A): about the time that a kernel takes to wake a process. RISC-V:
 * models/cpu/riscv/linux/calls/locks.cpp. */
#define RETRY_PS (20 * HAL_PS_PER_US)

int __real_flock(int descriptor, int operation);
int __real_fcntl(int descriptor, int command, ...);

static int fail(int error) {
  errno = error;
  return -1;
}

/* Standard streams are the simulator's. */
static int is_own(int descriptor) { return descriptor > STDERR_FILENO; }

int __wrap_flock(int descriptor, int operation) {
  if (!is_own(descriptor)) return 0;
  while (__real_flock(descriptor, operation | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || (operation & LOCK_NB) != 0) return -1;
    hal_sleep_ps(RETRY_PS);
  }
  return 0;
}

/* The simulator does not tell which process holds a lock. */
static int find_lock(int descriptor, struct flock* region) {
  region->l_pid = 0;
  if (is_own(descriptor)) return __real_fcntl(descriptor, F_OFD_GETLK, region);
  region->l_type = F_UNLCK;
  return 0;
}

static int set_lock(int descriptor, struct flock region, int waits) {
  region.l_pid = 0;
  if (!is_own(descriptor)) return 0;
  while (__real_fcntl(descriptor, F_OFD_SETLK, &region) != 0) {
    if ((errno != EAGAIN && errno != EACCES) || !waits) return -1;
    hal_sleep_ps(RETRY_PS);
  }
  return 0;
}

static int control(int descriptor, int command, void* argument) {
  switch (command) {
    case F_GETLK:
    case F_OFD_GETLK:
      return find_lock(descriptor, argument);
    case F_SETLK:
    case F_OFD_SETLK:
      return set_lock(descriptor, *(const struct flock*)argument, 0);
    case F_SETLKW:
    case F_OFD_SETLKW:
      return set_lock(descriptor, *(const struct flock*)argument, 1);
    default:
      return __real_fcntl(descriptor, command, argument);
  }
}

#define CONTROL(name)                                   \
  int __wrap_##name(int descriptor, int command, ...) { \
    va_list arguments;                                  \
    va_start(arguments, command);                       \
    void* const argument = va_arg(arguments, void*);    \
    va_end(arguments);                                  \
    return control(descriptor, command, argument);      \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

static int lock_from_here(int descriptor, int operation, off_t bytes) {
  struct flock region = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = bytes};
  switch (operation) {
    case F_LOCK:
    case F_TLOCK:
      return set_lock(descriptor, region, operation == F_LOCK);
    case F_ULOCK:
      region.l_type = F_UNLCK;
      return set_lock(descriptor, region, 0);
    case F_TEST:
      if (find_lock(descriptor, &region) != 0) return -1;
      return region.l_type == F_UNLCK ? 0 : fail(EACCES);
    default:
      return fail(EINVAL);
  }
}

int __wrap_lockf(int descriptor, int operation, off_t bytes) { return lock_from_here(descriptor, operation, bytes); }
int __wrap_lockf64(int descriptor, int operation, off_t bytes) { return lock_from_here(descriptor, operation, bytes); }
