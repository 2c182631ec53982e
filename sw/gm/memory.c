/* Memory that the card may touch: arenas, registered as a whole and handed out in pieces. */
#include <stdlib.h>
#include <string.h>

#include "sw/gm/port.h"
#include "sw/hal/hal.h"

#define PAGE 4096u
#define FIRST_ARENA (256u << 10) /* later ones double: a port registers a limited number of pieces */

static gm_status_t request(struct gm_port* port, enum gmdrv_request what, void* memory, gm_size_t bytes) {
  struct gmdrv_memory args = {.port = port->number, .pointer = hal_address(memory), .bytes = bytes};
  return hal_ioctl(what, &args) == 0 ? GM_SUCCESS : GM_FAILURE;
}

gm_status_t gm_register_memory(struct gm_port* port, void* memory, gm_size_t bytes) {
  return request(port, GMDRV_REGISTER, memory, bytes);
}

gm_status_t gm_deregister_memory(struct gm_port* port, void* memory, gm_size_t bytes) {
  return request(port, GMDRV_DEREGISTER, memory, bytes);
}

static struct arena* new_arena(struct gm_port* port, gm_size_t least) {
  if (port->arena_count == ARENAS) return NULL;
  gm_size_t bytes = (gm_size_t)FIRST_ARENA << (port->arena_count < 8 ? port->arena_count : 8);
  while (bytes < least + PAGE) bytes *= 2;
  struct arena* arena = &port->arenas[port->arena_count];
  if (bytes > UINT32_MAX) return NULL;
  arena->memory = aligned_alloc(PAGE, bytes);
  if (!arena->memory) return NULL;
  if (gm_register_memory(port, arena->memory, bytes) != GM_SUCCESS) {
    free(arena->memory);
    return NULL;
  }
  arena->bytes = (uint32_t)bytes;
  extents_init(&arena->free, PAGE, (uint32_t)bytes - PAGE); /* address 0 means "none" */
  ++port->arena_count;
  return arena;
}

static void* arena_take(struct arena* arena, gm_size_t bytes) {
  const uint32_t align = bytes >= PAGE ? PAGE : 64;
  const uint32_t size = (uint32_t)((bytes + 63) / 64 * 64);
  const uint32_t start = extents_allocate(&arena->free, size, align);
  if (start == 0) return NULL;
  if (arena->count == arena->room) {
    arena->room = arena->room ? 2 * arena->room : 16;
    arena->pieces = realloc(arena->pieces, arena->room * sizeof *arena->pieces);
  }
  arena->pieces[arena->count++] = (struct piece){start, size};
  return arena->memory + start;
}

void* gm_dma_malloc(struct gm_port* port, gm_size_t bytes) {
  if (bytes == 0 || bytes > UINT32_MAX / 4) return NULL;
  for (unsigned i = 0; i < port->arena_count; ++i) {
    void* memory = arena_take(&port->arenas[i], bytes);
    if (memory) return memory;
  }
  struct arena* arena = new_arena(port, bytes);
  return arena ? arena_take(arena, bytes) : NULL;
}

void* gm_dma_calloc(struct gm_port* port, gm_size_t count, gm_size_t bytes) {
  void* memory = gm_dma_malloc(port, count * bytes);
  if (memory) memset(memory, 0, count * bytes);
  return memory;
}

void gm_dma_free(struct gm_port* port, void* memory) {
  for (unsigned i = 0; i < port->arena_count; ++i) {
    struct arena* arena = &port->arenas[i];
    const uint64_t start = (uint64_t)((unsigned char*)memory - arena->memory);
    for (size_t at = 0; start < arena->bytes && at < arena->count; ++at) {
      if (arena->pieces[at].start != start) continue;
      extents_free(&arena->free, arena->pieces[at].start, arena->pieces[at].bytes);
      arena->pieces[at] = arena->pieces[--arena->count];
      return;
    }
  }
  hal_abort("gm_dma_free: this memory was not given out by gm_dma_malloc of that port");
}

void gm_release_memory(struct gm_port* port) {
  for (unsigned i = 0; i < port->arena_count; ++i) {
    free(port->arenas[i].memory);
    free(port->arenas[i].pieces);
    free(port->arenas[i].free.pieces);
  }
}
