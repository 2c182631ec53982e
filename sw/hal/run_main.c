/* The program's main, from the simulator. This file has no unwind tables (cmake/Images.cmake): the stack of a C++
 * program ends here for the exceptions that it throws, so one that nothing catches calls std::terminate, as it does in
 * a process of its own, and none comes to the simulator's frames. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/hal/host.h"

/* By its name, and not by a pointer from the simulator: the compiler may have been told to hide it (-fvisibility).
 * Drivers, which link this file, too, have none. */
__attribute__((weak)) int main(int count, char** arguments, char** environment);

/* Of OpenMP's library, where a program has it: its threads would be the simulator's. */
__attribute__((weak)) void omp_set_num_threads(int threads);

/* What assert and err begin their lines with. The simulator keeps it for each process (models/native/thread.hpp). */
static void set_name(char* path) {
  char* const slash = strrchr(path, '/');
  program_invocation_name = path;
  program_invocation_short_name = slash != NULL ? slash + 1 : path;
}

void hal_run_main(int count, char** arguments) {
  if (count > 0) set_name(arguments[0]);
  if (omp_set_num_threads) omp_set_num_threads(1);
  exit(main(count, arguments, environ));
}
