/* A program's end: exit, abort and atexit mean this process, not the simulator (--wrap, cmake/Images.cmake). Also calls
 * that would affect the simulator: a process is one thread, and never forks. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/attached.h"
#include "sw/hal/destructors.h"
#include "sw/hal/hal.h"
#include "sw/hal/signals.h"

/* A handler; one of the functions is set. */
struct handler {
  void (*plain)(void);
  void (*with_argument)(void* argument);
  void (*with_status)(int status, void* argument);
  void* argument;
};
static struct handlers {
  struct handler* first;
  int count, room;
} at_end, at_quick_end;

void* __real_realloc(void* pointer, size_t bytes); /* constructors of C++ come before the process's heap */

static int add(struct handlers* list, struct handler handler) {
  if (list->count == list->room) {
    const int room = list->room > 0 ? 2 * list->room : 32; /* as many as C promises */
    struct handler* more = __real_realloc(list->first, (size_t)room * sizeof *more);
    if (more == NULL) return -1;
    list->first = more;
    list->room = room;
  }
  list->first[list->count++] = handler;
  return 0;
}

/* Runs them, the last one first, including those that they add. */
static void handlers_run(struct handlers* list, int status) {
  while (list->count > 0) {
    const struct handler handler = list->first[--list->count];
    if (handler.plain != NULL)
      handler.plain();
    else if (handler.with_argument != NULL)
      handler.with_argument(handler.argument);
    else
      handler.with_status(status, handler.argument);
  }
}

int __wrap_atexit(void (*handler)(void)) { return add(&at_end, (struct handler){.plain = handler}); }
int __wrap_at_quick_exit(void (*handler)(void)) { return add(&at_quick_end, (struct handler){.plain = handler}); }
int __wrap_on_exit(void (*handler)(int, void*), void* argument) {
  return add(&at_end, (struct handler){.with_status = handler, .argument = argument});
}
/* Destructors of C++'s static objects. */
int __wrap___cxa_atexit(void (*handler)(void*), void* argument, void* image) {
  (void)image;
  return add(&at_end, (struct handler){.with_argument = handler, .argument = argument});
}

/* A parent sees the low 8 bits of a status. */
_Noreturn static void end(int status) { hal_exit(status & 0377); }

void __wrap_exit(int status) {
  handlers_run(&at_end, status);
  hal_destructors_run();
  fflush(stdout);
  fflush(stderr);
  end(status);
}

void __wrap__exit(int status) { end(status); }
void __wrap__Exit(int status) { end(status); }

void __wrap_quick_exit(int status) {
  handlers_run(&at_quick_end, status);
  end(status);
}

/* The handler may leave by longjmp; one that calls abort itself is not called again. */
void __wrap_abort(void) {
  static int is_handled;
  struct sigaction action;
  sigaction(SIGABRT, NULL, &action);
  if (!is_handled && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    is_handled = 1;
    sigset_t mask;
    hal_change_mask(NULL, &mask);
    sigdelset(&mask, SIGABRT);
    hal_change_mask(&mask, NULL);
    raise(SIGABRT);
  }
  fflush(stdout);
  hal_abort("the program called abort; its own output may tell why");
}

#define REFUSE_THREAD(call)                                                                             \
  int __wrap_##call(void) {                                                                             \
    hal_abort("the program called " #call                                                               \
              ": a rank is one thread (MPI_Init_thread provides MPI_THREAD_FUNNELED); run it with one " \
              "thread, and more ranks, or compile it with --target riscv64");                           \
  }
REFUSE_THREAD(pthread_create)
REFUSE_THREAD(thrd_create)

/* The end of the last thread ends the process. */
void __wrap_pthread_exit(void* result) {
  (void)result;
  exit(0);
}
void __wrap_thrd_exit(int result) {
  (void)result;
  exit(0);
}

/* State that it would leave with the C library would be the simulator's. */
__attribute__((weak)) int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) {
  (void)before, (void)parent, (void)child;
  return 0;
}

/* A symbol of the start files, which C programs are linked without: an address that is this image's alone. */
/* NOLINTNEXTLINE(readability-identifier-naming): the compiler's name */
__attribute__((weak, visibility("hidden"))) const char __dso_handle;

#define REFUSE(call, cure) \
  int __wrap_##call(void) { hal_abort("the program called " #call ": a rank is one process; " cure); }
#define REFUSE_EXEC(call) REFUSE(call, "give the other program to sanvp run itself")
REFUSE(fork, "run it with more ranks")
REFUSE(vfork, "run it with more ranks")
REFUSE(posix_spawn, "run it with more ranks")
REFUSE(posix_spawnp, "run it with more ranks")
__attribute__((weak)) int daemon(int stays, int keeps_streams) {
  (void)stays, (void)keeps_streams;
  hal_abort("the program called daemon: a rank is one process; let it stay in the foreground");
}
REFUSE_EXEC(execl)
REFUSE_EXEC(execlp)
REFUSE_EXEC(execle)
REFUSE_EXEC(execv)
REFUSE_EXEC(execvp)
REFUSE_EXEC(execve)
REFUSE_EXEC(execvpe)
REFUSE_EXEC(fexecve)

/* A real node would run the command itself. This one has no shell, and the program must not use the simulating
 * computer's: answers as C permits on a computer without one, and prints a line that says so. */
enum { NOT_FOUND = 127 << 8 }; /* the status of POSIX if no shell can be run */

static void no_shell(const char* call, const char* command) {
  static int is_told;
  if (!is_told) fprintf(stderr, "%s(\"%s\") runs nothing: a virtual node has no shell\n", call, command);
  is_told = 1;
}

int __wrap_system(const char* command) {
  if (command == NULL) return 0;
  no_shell("system", command);
  return NOT_FOUND;
}

FILE* __wrap_popen(const char* command, const char* mode) {
  (void)mode;
  no_shell("popen", command);
  errno = ENOENT;
  return NULL;
}
