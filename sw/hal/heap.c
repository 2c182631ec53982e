/* malloc and its kin, in the memory of the node, so that a card reaches a program's allocations. The linker redirects
 * an image's calls to here (--wrap, cmake/Images.cmake). The C library's own allocations stay in its heap, and free and
 * realloc recognise the heap of a pointer. Each call has a price; clearing and copying cost as memset and memcpy, which
 * come to library_text.c from here, too.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/hal/attached.h"
#include "sw/hal/charge.h"

#define LEAST_ALIGNMENT 16u /* of max_align_t */

void* __real_malloc(size_t bytes);
void __real_free(void* pointer);
_Noreturn void __real_abort(void);
void* __real_realloc(void* pointer, size_t bytes);
int __real_posix_memalign(void** pointer, size_t alignment, size_t bytes);
size_t __real_malloc_usable_size(void* pointer);

static void* allocate(size_t bytes, size_t alignment) {
  if (hal_host_calls == NULL) {
    void* pointer = NULL;
    return __real_posix_memalign(&pointer, alignment, bytes) == 0 ? pointer : NULL;
  }
  void* pointer = hal_host_calls->calls->allocate(hal_host_calls->self, bytes > 0 ? bytes : 1, alignment);
  if (pointer == NULL) errno = ENOMEM;
  return pointer;
}

static size_t usable_size(const void* pointer) {
  return hal_host_calls == NULL ? 0 : hal_host_calls->calls->usable_size(hal_host_calls->self, pointer);
}

void* __wrap_malloc(size_t bytes) {
  hal_charge(HAL_LIBRARY_malloc, 0);
  return hal_host_calls == NULL ? __real_malloc(bytes) : allocate(bytes, LEAST_ALIGNMENT);
}

/* Aborts as the C library does; the abort is reported as a crash, with its place in the program. */
static void release(void* pointer) {
  if (hal_host_calls->calls->release(hal_host_calls->self, pointer)) return;
  fputs("free: no block of malloc's, or freed before, or something has written beyond the end of a block\n", stderr);
  __real_abort();
}

void __wrap_free(void* pointer) {
  if (pointer == NULL) return;
  hal_charge(HAL_LIBRARY_free, 0);
  if (usable_size(pointer) > 0)
    release(pointer);
  else
    __real_free(pointer);
}

void* __wrap_calloc(size_t count, size_t each) {
  if (each != 0 && count > SIZE_MAX / each) {
    errno = ENOMEM;
    return NULL;
  }
  void* pointer = __wrap_malloc(count * each);
  if (pointer != NULL) memset(pointer, 0, count * each);
  return pointer;
}

void* __wrap_realloc(void* pointer, size_t bytes) {
  if (pointer == NULL) return __wrap_malloc(bytes);
  hal_charge(HAL_LIBRARY_realloc, 0);
  const size_t present = usable_size(pointer);
  if (present == 0) return __real_realloc(pointer, bytes);
  if (bytes == 0) {
    __wrap_free(pointer);
    return NULL;
  }
  if (bytes <= present && bytes >= present / 2) return pointer;
  void* larger = __wrap_malloc(bytes);
  if (larger == NULL) return NULL;
  memcpy(larger, pointer, bytes < present ? bytes : present);
  __wrap_free(pointer);
  return larger;
}

void* __wrap_memalign(size_t alignment, size_t bytes) {
  hal_charge(HAL_LIBRARY_memalign, 0);
  return allocate(bytes, alignment < LEAST_ALIGNMENT ? LEAST_ALIGNMENT : alignment);
}

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void* __wrap_valloc(size_t bytes) { return __wrap_memalign(page_bytes(), bytes); }

void* __wrap_pvalloc(size_t bytes) {
  const size_t page = page_bytes();
  return __wrap_valloc((bytes + page - 1) / page * page);
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) { return __wrap_memalign(alignment, bytes); }

int __wrap_posix_memalign(void** pointer, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  const int before = errno;
  void* found = __wrap_memalign(alignment, bytes);
  errno = before;
  if (found == NULL) return ENOMEM;
  *pointer = found;
  return 0;
}

size_t __wrap_malloc_usable_size(void* pointer) {
  const size_t own = usable_size(pointer);
  return own > 0 || pointer == NULL ? own : __real_malloc_usable_size(pointer);
}

char* __wrap_strndup(const char* text, size_t most) {
  const size_t length = strnlen(text, most);
  char* copy = __wrap_malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char* __wrap_strdup(const char* text) { return __wrap_strndup(text, SIZE_MAX); }
