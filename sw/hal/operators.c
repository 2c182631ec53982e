/* C++'s new and delete, by their names in objects, on this process's heap, which cards reach. Weak: a program may have
 * its own. */
#include <stddef.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

#define WEAK __attribute__((weak))

static void* allocate(size_t bytes) {
  void* const memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == NULL) hal_abort("operator new: no memory left; set host.memory");
  return memory;
}

WEAK void* _Znwm(size_t bytes) { return allocate(bytes); } /* new, new[] */
WEAK void* _Znam(size_t bytes) { return allocate(bytes); }
WEAK void* _ZnwmRKSt9nothrow_t(size_t bytes, const void* nothrow) { /* new (std::nothrow) */
  (void)nothrow;
  return malloc(bytes > 0 ? bytes : 1);
}
WEAK void* _ZnamRKSt9nothrow_t(size_t bytes, const void* nothrow) {
  (void)nothrow;
  return malloc(bytes > 0 ? bytes : 1);
}
WEAK void _ZdlPv(void* memory) { free(memory); } /* delete, delete[] */
WEAK void _ZdaPv(void* memory) { free(memory); }
WEAK void _ZdlPvm(void* memory, size_t bytes) { /* ... of a known size */
  (void)bytes;
  free(memory);
}
WEAK void _ZdaPvm(void* memory, size_t bytes) {
  (void)bytes;
  free(memory);
}
