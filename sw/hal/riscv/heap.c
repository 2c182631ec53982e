/* Memory that cards know stays where it is: malloc takes all of it from the heap (brk), and gives nothing back to the
 * system. Libraries keep what they have registered with a card, as those of real cards do, which have malloc do the
 * same. */
#include "sw/hal/riscv/heap.h"

#include <malloc.h>

__attribute__((constructor)) void hal_riscv_keep_heap(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1); /* never */
  mallopt(M_ARENA_MAX, 1);       /* further ones, for threads, are mappings */
}
