/* Allocators: all memory is the node's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/openmp/openmp.h"

static void* aligned(size_t alignment, size_t bytes) {
  void* memory = NULL;
  if (bytes == 0) return NULL;
  return posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) == 0 ? memory : NULL;
}

static void* zeroed(size_t alignment, size_t count, size_t bytes) {
  size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return NULL;
  void* const memory = aligned(alignment, all);
  return memory == NULL ? NULL : memset(memory, 0, all);
}

static uintptr_t usual = 1; /* omp_default_mem_alloc */

OPENMP void omp_set_default_allocator(uintptr_t allocator) { usual = allocator; }
OPENMP uintptr_t omp_get_default_allocator(void) { return usual; }
OPENMP uintptr_t omp_init_allocator(uintptr_t space, int count, const void* traits) {
  (void)space, (void)count, (void)traits;
  return 1;
}
OPENMP void omp_destroy_allocator(uintptr_t allocator) { (void)allocator; }

OPENMP void* omp_alloc(size_t bytes, uintptr_t allocator) {
  (void)allocator;
  return aligned(0, bytes);
}
OPENMP void* omp_aligned_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
  (void)allocator;
  return aligned(alignment, bytes);
}
OPENMP void* omp_calloc(size_t count, size_t bytes, uintptr_t allocator) {
  (void)allocator;
  return zeroed(0, count, bytes);
}
OPENMP void* omp_aligned_calloc(size_t alignment, size_t count, size_t bytes, uintptr_t allocator) {
  (void)allocator;
  return zeroed(alignment, count, bytes);
}
OPENMP void* omp_realloc(void* memory, size_t bytes, uintptr_t allocator, uintptr_t freed_by) {
  (void)allocator, (void)freed_by;
  if (bytes > 0) return realloc(memory, bytes);
  free(memory);
  return NULL;
}
OPENMP void omp_free(void* memory, uintptr_t allocator) {
  (void)allocator;
  free(memory);
}

/* The directive allocate. */
OPENMP void* GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator) {
  (void)allocator;
  return aligned(alignment, bytes);
}
OPENMP void GOMP_free(void* memory, uintptr_t allocator) {
  (void)allocator;
  free(memory);
}
