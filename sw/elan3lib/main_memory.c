/* Main memory: Elan addresses for the process's existing memory (heap, globals, stack).
 *
 * A region is a whole piece of the process's memory. It gets its Elan addresses when a part of it is first requested,
 * so they depend on the order of the program's calls and not on the host's addresses. */
#include <stdio.h>
#include <stdlib.h>

#include "sw/elan3lib/context.h"
#include "sw/hal/hal.h"

/* A region's address has the same offset as its pointer modulo this, so that page tables are full (A). */
#define REGION_ALIGN 0x40000u

#define PAGE_MASK ((uintptr_t)E3_PAGE_BYTES - 1)

static struct region* enter_region(ELAN3_CTX* ctx, struct region region) {
  struct elan3_map_request request = {.pointer = hal_address(region.start),
                                      .address = region.address,
                                      .bytes = region.bytes,
                                      .permission = E3_PERM_REMOTE_WRITE};
  elan3_request(ELAN3_MAP_MAIN, &request, "elan3_addressable");
  if (ctx->region_count == ctx->region_room) {
    ctx->region_room = ctx->region_room ? 2 * ctx->region_room : 8;
    ctx->regions = realloc(ctx->regions, ctx->region_room * sizeof *ctx->regions);
  }
  region.populated = calloc(region.bytes / E3_PAGE_BYTES / 64 + 1, sizeof *region.populated);
  ctx->regions[ctx->region_count] = region;
  return &ctx->regions[ctx->region_count++];
}

/* The known region that holds all of [pointer, pointer + size): the smallest, since a piece of the heap may have an
 * address of its own. */
static struct region* find(ELAN3_CTX* ctx, const volatile void* pointer, size_t size) {
  const char* at = (const char*)pointer;
  struct region* best = NULL;
  for (size_t i = 0; i < ctx->region_count; ++i) {
    struct region* region = &ctx->regions[i];
    if (at < region->start || at >= region->start + region->bytes) continue;
    if (size > (size_t)(region->start + region->bytes - at)) continue;
    if (!best || region->bytes < best->bytes) best = region;
  }
  return best;
}

/* Whole pages: the first and the last may be shared with other data, as those of globals are. */
static struct region around(const volatile void* pointer, size_t before, size_t behind) {
  const uintptr_t at = (uintptr_t)pointer, start = (at - before) & ~PAGE_MASK;
  return (struct region){.start = (char*)start, .bytes = ((at + behind + PAGE_MASK) & ~PAGE_MASK) - start};
}

static int take_addresses(ELAN3_CTX* ctx, struct region* region) {
  if (region->bytes > ELAN_MAIN_BYTES) return 0;
  region->address = extents_allocate(&ctx->main_addresses, (uint32_t)region->bytes, REGION_ALIGN);
  return region->address != 0;
}

/* Null if it is not this process's memory. */
static struct region* region_of(ELAN3_CTX* ctx, const volatile void* pointer, size_t size) {
  struct region* known = find(ctx, pointer, size);
  if (known) return known;
  void* begin;
  const size_t bytes = hal_region(pointer, &begin);
  if (bytes == 0) return NULL;
  const size_t before = (size_t)((const char*)pointer - (char*)begin), behind = bytes - before;
  if (size > behind) return NULL;
  const size_t most = ELAN_MAIN_BYTES / 4, least = size < most ? most : size;
  struct region region = around(pointer, before < most ? before : most, behind < least ? behind : least);
  if (!take_addresses(ctx, &region)) {
    region = around(pointer, 0, size); /* it alone */
    if (!take_addresses(ctx, &region))
      hal_abort("elan3lib: all Elan addresses for main memory are used, 2.5 GiB; allocate fewer, larger pieces");
  }
  return enter_region(ctx, region);
}

E3_Addr elan3_main2elan(ELAN3_CTX* ctx, const volatile void* pointer) { return elan3_main2elan_all(ctx, pointer, 1); }

E3_Addr elan3_main2elan_all(ELAN3_CTX* ctx, const volatile void* pointer, size_t size) {
  const struct region* region = region_of(ctx, pointer, size);
  if (!region) {
    char text[160];
    snprintf(text, sizeof text, "elan3_main2elan: %p is not memory of this process (its heap, its globals, its stack)",
             (const void*)pointer);
    hal_abort(text);
  }
  return region->address + (E3_Addr)((const char*)pointer - region->start);
}

/* Asks the driver for those pages that were not requested before. */
static void populate(struct region* region, size_t offset, size_t size) {
  const size_t end = (offset + size + E3_PAGE_BYTES - 1) / E3_PAGE_BYTES;
  size_t page = offset / E3_PAGE_BYTES;
  while (page < end) {
    if (region->populated[page / 64] >> (page % 64) & 1) {
      ++page;
      continue;
    }
    const size_t first = page;
    for (; page < end && !(region->populated[page / 64] >> (page % 64) & 1); ++page)
      region->populated[page / 64] |= 1ull << (page % 64);
    struct elan3_populate_request request = {.address = region->address + (E3_Addr)(first * E3_PAGE_BYTES),
                                             .bytes = (page - first) * E3_PAGE_BYTES};
    elan3_request(ELAN3_POPULATE, &request, "elan3_addressable");
  }
}

int elan3_addressable(ELAN3_CTX* ctx, const volatile void* pointer, size_t size) {
  if (size == 0) return 1;
  struct region* region = region_of(ctx, pointer, size);
  if (!region) return 0;
  populate(region, (size_t)((const char*)pointer - region->start), size);
  return 1;
}

void* elan3_allocMain(ELAN3_CTX* ctx, size_t align, size_t size) {
  const size_t least = sizeof(void*);
  align = align < least ? least : align;
  size = (size + align - 1) & ~(align - 1);
  void* memory = aligned_alloc(align, size);
  if (memory) elan3_addressable(ctx, memory, size);
  return memory;
}

void elan3_free(ELAN3_CTX* ctx, void* main) {
  (void)ctx;
  free(main);
}

void elan3_mapSymmetric(ELAN3_CTX* ctx, void* pointer, E3_Addr address, size_t size) {
  enter_region(ctx, (struct region){.start = pointer, .bytes = size, .address = address});
  elan3_addressable(ctx, pointer, size);
}
