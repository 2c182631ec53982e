/* The library's own memory. If the program asks for memory (MPI_Alloc_mem, a datatype's pieces), a call can simply
 * return MPI_ERR_NO_MEM. Here a call may be half done, and other ranks may wait in it: the job ends after the handler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/errors.h"
#include "sw/mpi/base/memory.h"

static void* checked(void* memory, size_t bytes) {
  if (memory) return memory;
  const char* call = mpi_present_call();
  char text[128];
  mpi_fail(call, MPI_ERR_NO_MEM, "no memory for %zu bytes; set host.memory", bytes);
  snprintf(text, sizeof text, "%s: no memory for %zu bytes; set host.memory (MPI_ERR_NO_MEM)", call, bytes);
  hal_abort(text);
}

void* mpi_memory(size_t bytes) { return checked(malloc(bytes + 1), bytes); }

void* mpi_zeroed_memory(size_t bytes) { return memset(mpi_memory(bytes), 0, bytes); }

void* mpi_larger_memory(void* memory, size_t bytes) { return checked(realloc(memory, bytes + 1), bytes); }
