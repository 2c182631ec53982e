/* Which computer and which process this is: the virtual ones, so that output is the same wherever the simulation runs
 * (--wrap, cmake/Images.cmake). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/hal.h"

#define FIRST_PID 1000 /* small numbers are the operating system's own */

int __wrap_gethostname(char* name, size_t room) {
  const int length = snprintf(name, room, "node%d", hal_node());
  if ((size_t)length < room) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int __wrap_uname(struct utsname* to) {
  memset(to, 0, sizeof *to);
  strcpy(to->sysname, "sanvp");
  strcpy(to->release, "1");
  strcpy(to->version, "virtual");
  strcpy(to->machine, "native");
  return __wrap_gethostname(to->nodename, sizeof to->nodename);
}

/* Different for all processes of a job: programs mix it into the seeds of random numbers. */
pid_t __wrap_getpid(void) { return FIRST_PID + hal_rank(); }
pid_t __wrap_getppid(void) { return 1; }
