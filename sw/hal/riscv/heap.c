/* Memory that is registered with cards stays mapped: malloc takes all of it from the heap (brk), and returns nothing to
 * the system. Libraries keep memory registered with a card, as those of real cards do, which configure malloc
 * likewise. */
#include "sw/hal/riscv/heap.h"

#include <malloc.h>
#include <stdint.h>

__attribute__((constructor)) void hal_riscv_keep_heap(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1); /* never */
  mallopt(M_ARENA_MAX, 1);       /* further ones, for threads, are mappings */
}

/* glibc's own: bytes of stacks of threads that have ended, which it keeps for new ones. */
extern size_t __nptl_stack_cache_maxsize __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */

void hal_riscv_keep_stacks(void) {
  if (&__nptl_stack_cache_maxsize) __nptl_stack_cache_maxsize = SIZE_MAX;
}
