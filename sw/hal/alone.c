/* A program that is started by itself, as `./prog`, not by `sanvp run`: it runs with one rank on a machine, as a
 * program of other MPI libraries does without mpirun. So the probes of `configure` work. The dynamic loader comes here,
 * because of .interp and of the linker's -e (cmake/Images.cmake); the simulator, which loads the program itself, never
 * does. */
#include <errno.h>
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

/* The C library's own, past the simulator's that --wrap puts in their place. */
char* __real_getenv(const char* name);
int __real_execv(const char* program, char* const arguments[]);
int __real_execvp(const char* program, char* const arguments[]);
ssize_t __real_write(int file, const void* data, size_t bytes);
void __real__exit(int status) __attribute__((noreturn));

static void say(const char* text) {
  if (__real_write(STDERR_FILENO, text, strlen(text)) < 0) __real__exit(CANNOT_RUN);
}

/* The arguments, one behind the other with a zero each; how many bytes. */
static size_t read_arguments(char* text, size_t most) {
  FILE* file = fopen(OWN_ARGUMENTS, "r");
  if (!file) return 0;
  return fread(text, 1, most, file);
}

void hal_alone(void) __attribute__((noreturn)) ALIGNED;
void hal_alone(void) {
  enum { TEXT_MOST = 1 << 17, ARGUMENTS_MOST = 4096 };
  static char program[TEXT_MOST], text[TEXT_MOST];
  static char* arguments[ARGUMENTS_MOST];
  const char* machine = __real_getenv("SANVP_MACHINE");
  const ssize_t length = readlink(OWN_PROGRAM, program, sizeof program - 1);
  if (length > 0) program[length] = '\0';
  char* const first[] = {"sanvp", "run", machine ? (char*)machine : MACHINE, program, "--np", "1", "--"};
  int count = 0;
  for (size_t i = 0; i < sizeof first / sizeof *first; ++i) arguments[count++] = first[i];
  const size_t bytes = read_arguments(text, sizeof text - 1);
  for (const char* at = text + strlen(text) + 1; at < text + bytes && count < ARGUMENTS_MOST - 1; at += strlen(at) + 1)
    arguments[count++] = (char*)at;
  __real_execv(SANVP_PROGRAM, arguments);
  __real_execvp("sanvp", arguments);
  say(program);
  say(": this program is for a virtual machine, and `sanvp` is not in the PATH; run it by `sanvp run MACHINE "
      "PROGRAM`\n");
  __real__exit(CANNOT_RUN);
}
