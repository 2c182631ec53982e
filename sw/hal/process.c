/* A program's end: exit, abort and atexit mean this process, not the simulator (--wrap, cmake/Images.cmake). And what
 * would take the simulator along: a process is one thread. */
#include <stddef.h>
#include <stdio.h>

#include "sw/hal/attached.h"
#include "sw/hal/hal.h"

#define MOST_HANDLERS 64 /* C promises 32 */

static void (*handlers[MOST_HANDLERS])(void);
static int handler_count;

int __wrap_atexit(void (*handler)(void)) {
  if (handler_count == MOST_HANDLERS) return -1;
  handlers[handler_count++] = handler;
  return 0;
}

void __wrap_exit(int status) {
  while (handler_count > 0) handlers[--handler_count]();
  fflush(stdout);
  fflush(stderr);
  hal_exit(status);
}

void __wrap__exit(int status) { hal_exit(status); }
void __wrap__Exit(int status) { hal_exit(status); }

void __wrap_abort(void) {
  fflush(stdout);
  hal_abort("the program called abort; its own output may tell why");
}

int __wrap_pthread_create(void) {
  hal_abort(
      "the program called pthread_create: a rank is one thread (MPI_Init_thread provides no more than "
      "MPI_THREAD_SERIALIZED); run it with one thread, and more ranks");
}

int __wrap_fork(void) { hal_abort("the program called fork: a rank is one process; run it with more ranks"); }
