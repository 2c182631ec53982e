/* The symmetric heap. All processes call alike, so all find the same place. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"
#include "sw/support/extents.h"

#define LINE 64u /* pieces are whole lines, so that a word that is polled shares its line with nothing else */
/* What the heap's memory is aligned to, and pieces at most. Places are counted from here: 0 says that there is no room.
 */
#define MOST_ALIGNMENT 4096u
#define DEFAULT_BYTES "4M"

struct heap {
  struct heap_room room;
  struct extents free; /* places: offset + MOST_ALIGNMENT */
  uint32_t* sizes;     /* of the piece that begins at each line, 0: none does */
};

static struct heap* the_heap(void) {
  static struct heap heap;
  return &heap;
}

struct heap_room heap_room(void) {
  return the_heap()->room;
}

/* A number with a suffix of OpenSHMEM's: K, M, G, T. 0 where it is not one. */
static size_t bytes_of(const char* text) {
  static const char suffixes[] = "kmgt";
  char* end = NULL;
  double bytes = strtod(text, &end);
  if (end == text || !(bytes > 0)) return 0;
  const char* suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
  if (suffix) {
    for (const char* at = suffixes; at <= suffix; ++at) bytes *= 1024;
    ++end;
    if ((*end | 0x20) == 'b') ++end;
  }
  return *end || bytes > UINT32_MAX - 2 * MOST_ALIGNMENT ? 0 : (size_t)bytes;
}

void heap_start(void) {
  struct heap* heap = the_heap();
  const char* environment = getenv("SHMEM_SYMMETRIC_SIZE");
  const char* text = hal_setting("shmem.heap", environment && *environment ? environment : DEFAULT_BYTES,
                                 "bytes of a process's symmetric heap, with K, M or G", "assumed");
  const size_t bytes = (bytes_of(text) + LINE - 1) / LINE * LINE;
  heap->room.memory = bytes > 0 ? transport_symmetric(bytes) : NULL;
  if (!heap->room.memory)
    shmem_fail("shmem_init",
               bytes > 0 ? "no room for the symmetric heap; choose a smaller -s shmem.heap or SHMEM_SYMMETRIC_SIZE"
                         : "-s shmem.heap or SHMEM_SYMMETRIC_SIZE is not a number of bytes below 4G; write such as 4M");
  heap->room.bytes = bytes;
  extents_init(&heap->free, MOST_ALIGNMENT, (uint32_t)bytes);
  heap->sizes =
      memset(shmem_memory("shmem_init", bytes / LINE * sizeof *heap->sizes), 0, bytes / LINE * sizeof *heap->sizes);
}

/* The standard has null as the only sign, and programs do not look. */
static void tell_of_no_room(const char* call, size_t bytes) {
  if (transport_self() != 0) return;
  fprintf(stderr,
          "%s: no room for %zu bytes in the symmetric heap of %zu, null is returned; more with -s shmem.heap=BYTES\n",
          call, bytes, the_heap()->room.bytes);
}

static char* allocate(const char* call, size_t bytes, size_t alignment) {
  struct heap* heap = the_heap();
  const uint32_t align = alignment > LINE ? (uint32_t)alignment : LINE;
  uint32_t place = 0;
  if (bytes <= heap->room.bytes) {
    const uint32_t whole = (uint32_t)((bytes + LINE - 1) / LINE * LINE);
    place = extents_allocate(&heap->free, whole, align);
    if (place != 0) heap->sizes[(place - MOST_ALIGNMENT) / LINE] = whole;
  }
  if (place == 0) tell_of_no_room(call, bytes);
  return place != 0 ? heap->room.memory + (place - MOST_ALIGNMENT) : NULL;
}

/* The size of a piece; ends the job where there is none. */
static uint32_t* piece(const char* call, const void* pointer) {
  const struct heap* heap = the_heap();
  const size_t offset = (size_t)((const char*)pointer - heap->room.memory);
  if (offset >= heap->room.bytes || offset % LINE != 0 || heap->sizes[offset / LINE] == 0)
    shmem_fail(call, "the pointer is not one of shmem_malloc, or was freed before; pass what shmem_malloc returned");
  return &heap->sizes[offset / LINE];
}

static void give_back(const char* call, const void* pointer) {
  struct heap* heap = the_heap();
  uint32_t* size = piece(call, pointer);
  extents_free(&heap->free, (uint32_t)((const char*)pointer - heap->room.memory) + MOST_ALIGNMENT, *size);
  *size = 0;
}

static void* take(const char* call, size_t bytes, size_t alignment, int zero) {
  shmem_check_running(call);
  if (bytes == 0) return NULL;
  char* memory = allocate(call, bytes, alignment);
  if (memory && zero) {
    memset(memory, 0, bytes);
    hal_memory_copied(bytes);
  }
  shmem_barrier_all();
  return memory;
}

void* shmem_malloc(size_t bytes) { return take("shmem_malloc", bytes, LINE, 0); }

void* shmem_calloc(size_t number, size_t each) {
  const size_t bytes = each != 0 && number > SIZE_MAX / each ? SIZE_MAX : number * each;
  return take("shmem_calloc", bytes, LINE, 1);
}

void* shmem_align(size_t alignment, size_t bytes) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0 ||
      alignment > MOST_ALIGNMENT)
    shmem_fail("shmem_align", "the alignment is not a power of two from 8 to 4096; choose one");
  return take("shmem_align", bytes, alignment, 0);
}

void shmem_free(void* pointer) {
  shmem_check_running("shmem_free");
  if (!pointer) return;
  piece("shmem_free", pointer);
  shmem_barrier_all();
  give_back("shmem_free", pointer);
}

/* A piece that cannot grow stays as it is, and null is the answer. */
void* shmem_realloc(void* pointer, size_t bytes) {
  const char* call = "shmem_realloc";
  if (!pointer) return take(call, bytes, LINE, 0);
  if (bytes == 0) {
    shmem_free(pointer);
    return NULL;
  }
  shmem_check_running(call);
  const size_t before = *piece(call, pointer);
  shmem_barrier_all();
  char* memory = allocate(call, bytes, LINE);
  if (memory) {
    const size_t kept = bytes < before ? bytes : before;
    memcpy(memory, pointer, kept);
    hal_memory_copied(kept);
    give_back(call, pointer);
  }
  shmem_barrier_all();
  return memory;
}
