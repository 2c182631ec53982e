/* A program's end: exit, abort and atexit mean this process, not the simulator (--wrap, cmake/Images.cmake). And what
 * would take the simulator along: a process is one thread. */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/attached.h"
#include "sw/hal/destructors.h"
#include "sw/hal/hal.h"

/* One of the functions is set. */
static struct handler {
  void (*plain)(void);
  void (*with_argument)(void* argument);
  void (*with_status)(int status, void* argument);
  void* argument;
} * handlers;
static int handler_count, handler_room;

void* __real_realloc(void* pointer, size_t bytes); /* constructors of C++ come before the process's heap */

static int add(struct handler handler) {
  if (handler_count == handler_room) {
    const int room = handler_room > 0 ? 2 * handler_room : 32; /* as many as C promises */
    struct handler* more = __real_realloc(handlers, (size_t)room * sizeof *handlers);
    if (more == NULL) return -1;
    handlers = more;
    handler_room = room;
  }
  handlers[handler_count++] = handler;
  return 0;
}

int __wrap_atexit(void (*handler)(void)) { return add((struct handler){.plain = handler}); }
int __wrap_on_exit(void (*handler)(int, void*), void* argument) {
  return add((struct handler){.with_status = handler, .argument = argument});
}
/* Destructors of C++'s static objects. */
int __wrap___cxa_atexit(void (*handler)(void*), void* argument, void* image) {
  (void)image;
  return add((struct handler){.with_argument = handler, .argument = argument});
}

void __wrap_exit(int status) {
  while (handler_count > 0) {
    const struct handler handler = handlers[--handler_count];
    if (handler.plain != NULL)
      handler.plain();
    else if (handler.with_argument != NULL)
      handler.with_argument(handler.argument);
    else
      handler.with_status(status, handler.argument);
  }
  hal_destructors_run();
  fflush(stdout);
  fflush(stderr);
  hal_exit(status);
}

void __wrap__exit(int status) { hal_exit(status); }
void __wrap__Exit(int status) { hal_exit(status); }

#define MOST_HANDLERS 64 /* C promises 32 */

static void (*quick_handlers[MOST_HANDLERS])(void);
static int quick_handler_count;

int __wrap_at_quick_exit(void (*handler)(void)) {
  if (quick_handler_count == MOST_HANDLERS) return -1;
  quick_handlers[quick_handler_count++] = handler;
  return 0;
}

void __wrap_quick_exit(int status) {
  while (quick_handler_count > 0) quick_handlers[--quick_handler_count]();
  hal_exit(status);
}

/* The handler may leave by longjmp; one that calls abort itself is not called again. */
void __wrap_abort(void) {
  static int is_handled;
  struct sigaction action;
  sigaction(SIGABRT, NULL, &action);
  if (!is_handled && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    is_handled = 1;
    raise(SIGABRT);
  }
  fflush(stdout);
  hal_abort("the program called abort; its own output may tell why");
}

int __wrap_pthread_create(void) {
  hal_abort(
      "the program called pthread_create: a rank is one thread (MPI_Init_thread provides no more than "
      "MPI_THREAD_SERIALIZED); run it with one thread, and more ranks");
}

#define REFUSE(call, cure) \
  int __wrap_##call(void) { hal_abort("the program called " #call ": a rank is one process; " cure); }
#define REFUSE_EXEC(call) REFUSE(call, "give the other program to sanvp run itself")
REFUSE(fork, "run it with more ranks")
REFUSE(vfork, "run it with more ranks")
REFUSE(posix_spawn, "run it with more ranks")
REFUSE(posix_spawnp, "run it with more ranks")
REFUSE_EXEC(execl)
REFUSE_EXEC(execlp)
REFUSE_EXEC(execle)
REFUSE_EXEC(execv)
REFUSE_EXEC(execvp)
REFUSE_EXEC(execve)
REFUSE_EXEC(execvpe)
REFUSE_EXEC(fexecve)
