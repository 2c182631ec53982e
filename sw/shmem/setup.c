/* Start, end, the symmetric heap. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"
#include "sw/shmem/internal.h"
#include "sw/support/extents.h"
#include "sw/transport/transport.h"

#define HEAP_ALIGN 64u /* a line, so that a word that is polled shares its line with nothing else */

struct heap {
  char* memory; /* null: shmem_init has not been called */
  size_t bytes;
  struct extents free; /* offsets + HEAP_ALIGN, as 0 says that there is no room */
  uint32_t* sizes;     /* of the piece that begins at each multiple of HEAP_ALIGN */
};

static struct heap* the_heap(void) {
  static struct heap heap;
  return &heap;
}

void shmem_init(void) {
  struct heap* heap = the_heap();
  if (heap->memory) return;
  transport_start();
  const char* text = hal_setting("shmem.heap", "4194304", "bytes of a process's symmetric heap", "assumed");
  heap->bytes = strtoul(text, NULL, 10) / HEAP_ALIGN * HEAP_ALIGN;
  heap->memory = heap->bytes > 0 ? transport_symmetric(heap->bytes) : NULL;
  if (!heap->memory)
    hal_abort("shmem_init: no room for the symmetric heap; choose a smaller shmem.heap, a number of bytes");
  extents_init(&heap->free, HEAP_ALIGN, (uint32_t)heap->bytes);
  heap->sizes = calloc(heap->bytes / HEAP_ALIGN + 1, sizeof *heap->sizes);
  transport_barrier();
}

void start_pes(int unused) {
  (void)unused;
  shmem_init();
}

void shmem_finalize(void) { shmem_barrier_all(); }

int shmem_my_pe(void) { return hal_rank(); }

int shmem_n_pes(void) { return hal_ranks(); }

int my_pe(void) { return hal_rank(); }

int num_pes(void) { return hal_ranks(); }

void shmem_check(const char* call, int pe) {
  const char* wrong = NULL;
  if (!the_heap()->memory) wrong = "shmem is not running; call shmem_init first";
  if (!wrong && (pe < 0 || pe >= hal_ranks())) wrong = "there is no such processing element; see shmem_n_pes";
  if (!wrong) return;
  char text[160];
  snprintf(text, sizeof text, "%s to element %d: %s", call, pe, wrong);
  hal_abort(text);
}

uint64_t shmem_remote(const char* call, const volatile void* pointer, size_t bytes) {
  if (hal_is_own(pointer, bytes > 0 ? bytes : 1)) return transport_address_of(pointer, bytes);
  char text[160];
  snprintf(text, sizeof text, "%s: the remote address is not symmetric; use memory of shmem_malloc, or a global", call);
  hal_abort(text);
}

void* shmem_malloc(size_t bytes) {
  shmem_check("shmem_malloc", 0);
  struct heap* heap = the_heap();
  const size_t rounded = (bytes + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
  if (bytes == 0 || rounded > heap->bytes) return NULL;
  const uint32_t at = extents_allocate(&heap->free, (uint32_t)rounded, HEAP_ALIGN);
  if (at != 0) heap->sizes[at / HEAP_ALIGN] = (uint32_t)rounded;
  transport_barrier();
  return at != 0 ? heap->memory + (at - HEAP_ALIGN) : NULL;
}

void shmem_free(void* pointer) {
  shmem_check("shmem_free", 0);
  if (!pointer) return;
  struct heap* heap = the_heap();
  const size_t offset = (size_t)((char*)pointer - heap->memory);
  const uint32_t at = (uint32_t)offset + HEAP_ALIGN;
  if (offset >= heap->bytes || offset % HEAP_ALIGN != 0 || heap->sizes[at / HEAP_ALIGN] == 0)
    hal_abort("shmem_free: the pointer is not one of shmem_malloc, or was freed before");
  transport_barrier();
  extents_free(&heap->free, at, heap->sizes[at / HEAP_ALIGN]);
  heap->sizes[at / HEAP_ALIGN] = 0;
}
