/* A program that is started by itself, as `./prog`, not by `sanvp run`: it runs with one rank on a machine, as a
 * program of other MPI libraries does without mpirun. So the probes of `configure` work. The dynamic loader enters
 * here, because of .interp and of the linker's -e (cmake/Images.cmake); the simulator, which loads the program itself,
 * never does. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MACHINE "qsnet-16" /* $SANVP_MACHINE is another */
#define OWN_PROGRAM "/proc/self/exe"
#define OWN_ARGUMENTS "/proc/self/cmdline"
#define CANNOT_RUN 126 /* the shell's */

#ifdef __aarch64__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#define ALIGNED
#else
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#define ALIGNED __attribute__((force_align_arg_pointer)) /* nothing has been called yet */
#endif

__attribute__((section(".interp"), used, retain)) static const char loader[] = LOADER;

/* The C library's own functions, not the simulator's that --wrap puts in their place. */
char* __real_getenv(const char* name);
int __real_execv(const char* program, char* const arguments[]);
int __real_execvp(const char* program, char* const arguments[]);
ssize_t __real_write(int file, const void* data, size_t bytes);
void __real__exit(int status) __attribute__((noreturn));

/* The path of `sanvp`, which sanvp-cc writes into the program in place of this mark (scripts/images/place.py). An array
 * of fixed size, not a string: the layout of the image behind it must not depend on the length of a path. */
static const char simulator[PATH_MAX] = "?sanvp's place, by sanvp-cc?";

static char* program = OWN_PROGRAM; /* its path, where that can be read */

static void say(const char* text) {
  if (__real_write(STDERR_FILENO, text, strlen(text)) < 0) __real__exit(CANNOT_RUN);
}

static void give_up(void) __attribute__((noreturn));
static void give_up(void) {
  const char* const why = strerror(errno);
  say(program);
  say(": this program is for a virtual machine, and `sanvp` cannot be started: ");
  say(why);
  say("; run it by `sanvp run MACHINE PROGRAM`, or put `sanvp` in the PATH\n");
  __real__exit(CANNOT_RUN);
}

static char** arguments; /* of `sanvp`, a null behind the last */
static size_t count;

static void add(char* argument) {
  arguments = realloc(arguments, (count + 2) * sizeof *arguments);
  if (arguments == NULL) give_up();
  arguments[count++] = argument;
  arguments[count] = NULL;
}

/* All but the program's name, which is the first. */
static void add_own_arguments(void) {
  FILE* const file = fopen(OWN_ARGUMENTS, "r");
  if (file == NULL) give_up();
  char* text = NULL;
  for (size_t room = 0, i = 0; getdelim(&text, &room, '\0', file) >= 0; ++i, room = 0, text = NULL)
    if (i > 0) add(text);
  fclose(file);
}

void hal_alone(void) __attribute__((noreturn)) ALIGNED;
void hal_alone(void) {
  static char path[PATH_MAX];
  if (readlink(OWN_PROGRAM, path, sizeof path - 1) > 0) program = path;
  char* const machine = __real_getenv("SANVP_MACHINE");
  char* const first[] = {"sanvp", "run", machine ? machine : MACHINE, program, "--np", "1", "--"};
  for (size_t i = 0; i < sizeof first / sizeof *first; ++i) add(first[i]);
  add_own_arguments();
  __real_execv(simulator, arguments);
  __real_execvp("sanvp", arguments);
  give_up();
}
