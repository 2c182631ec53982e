/* The program's main, from the simulator. This file has no unwind tables (cmake/Images.cmake): the stack of a C++
 * program ends here for the exceptions that it throws, so one that nothing catches calls std::terminate, as it does in
 * a process of its own, and none comes to the simulator's frames. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/hal/attached.h"

#define PAGE_BYTES 4096u /* of the simulating computer and of all cards */

/* By its name, not by a pointer from the simulator: the compiler may have been told to hide it (-fvisibility). Drivers,
 * which link this file, too, have none. */
__attribute__((weak)) int main(int count, char** arguments, char** environment);

/* Defined by sw/io, if linked, as in programs with MPI: files of I/O nodes are accessible before MPI_Init, too. */
__attribute__((weak)) void io_client_start(void);

char* __real_strrchr(const char* text, int byte); /* free of charge: the longer path takes no longer to start */

/* The prefix of messages of assert and err. The simulator keeps it for each process (models/native/thread.hpp). */
static void set_name(char* path) {
  char* const slash = __real_strrchr(path, '/');
  program_invocation_name = path;
  program_invocation_short_name = slash != NULL ? slash + 1 : path;
}

/* Runs constructors before main, for a program that starts MPI in one of them (models/native/image.cpp). What
 * hal_run_main does first is repeated here: a function for both would move main's frame. */
void hal_run_constructors(void (*const* all)(int, char**, char**), size_t how_many, int count, char** arguments) {
  if (count > 0) set_name(arguments[0]);
  if (io_client_start && hal_host_calls->io_servers > 0) io_client_start();
  for (size_t i = 0; i < how_many; ++i) all[i](count, arguments, environ);
}

void hal_run_main(int count, char** arguments) {
  if (count > 0) set_name(arguments[0]);
  if (io_client_start && hal_host_calls->io_servers > 0) io_client_start();
  /* main's frame begins at the same place of a page, however much of the stack the simulator uses above it, which
   * depends on the compiler and its options: how a card or a cache cuts up a buffer depends on the buffer's address. */
  void* const gap = __builtin_alloca((uintptr_t)__builtin_frame_address(0) % PAGE_BYTES);
  __asm__ volatile("" : : "r"(gap) : "memory"); /* keeps it */
  exit(main(count, arguments, environ));
}
