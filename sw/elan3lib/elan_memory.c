/* Elan memory: SDRAM pages from the driver, cut into pieces; the host's way to them over the bus. */
#include <stdio.h>

#include "sw/elan3lib/context.h"
#include "sw/hal/hal.h"

/* Pieces are in chunks that are contiguous in SDRAM. A larger one gets chunks of its own, requested at once. */
static int back_with_sdram(ELAN3_CTX* ctx, E3_Addr address, size_t size) {
  const uint32_t first = (address - ELAN_MEMORY_BASE) / ELAN_CHUNK_BYTES;
  const uint32_t end = (uint32_t)((address - ELAN_MEMORY_BASE + size - 1) / ELAN_CHUNK_BYTES) + 1;
  if (ctx->physical[first] != 0) return 1;
  struct elan3_sdram_request request = {.address = ELAN_MEMORY_BASE + first * ELAN_CHUNK_BYTES,
                                        .bytes = (end - first) * ELAN_CHUNK_BYTES,
                                        .permission = E3_PERM_REMOTE_ALL};
  if (hal_ioctl(ELAN3_ALLOC_SDRAM, &request) != 0) return 0;
  for (uint32_t i = first; i < end; ++i) ctx->physical[i] = request.physical + (i - first) * ELAN_CHUNK_BYTES;
  return 1;
}

/* The real size of a piece, and its alignment: whole chunks, or a power of two, which does not run across the end of
 * one. */
static size_t piece_of(size_t size, size_t* align) {
  if (size > ELAN_CHUNK_BYTES / 4) {
    *align = *align < ELAN_CHUNK_BYTES ? ELAN_CHUNK_BYTES : *align;
    return (size + ELAN_CHUNK_BYTES - 1) & ~(size_t)(ELAN_CHUNK_BYTES - 1);
  }
  size_t piece = *align < 8 ? 8 : *align;
  while (piece < size) piece *= 2;
  *align = piece;
  return piece;
}

static E3_Addr allocate(ELAN3_CTX* ctx, uint32_t half, size_t align, size_t size) {
  if (size == 0 || size > ELAN_MEMORY_BYTES) return 0;
  const size_t piece = piece_of(size, &align);
  const E3_Addr address = extents_allocate(&ctx->elan_memory[half], (uint32_t)piece, (uint32_t)align);
  if (address != 0 && !back_with_sdram(ctx, address, piece)) {
    extents_free(&ctx->elan_memory[half], address, (uint32_t)piece);
    return 0;
  }
  return address;
}

E3_Addr elan3_allocElan(ELAN3_CTX* ctx, size_t align, size_t size) { return allocate(ctx, 0, align, size); }

E3_Addr elan3_gallocElan(ELAN3_CTX* ctx, size_t align, size_t size) { return allocate(ctx, 1, align, size); }

void elan3_freeElan(ELAN3_CTX* ctx, E3_Addr address, size_t size) {
  size_t align = 8;
  const uint32_t half = (address - ELAN_MEMORY_BASE) / ELAN_MEMORY_BYTES;
  extents_free(&ctx->elan_memory[half], address, (uint32_t)piece_of(size, &align));
}

uint64_t elan3_elan2sdram(const ELAN3_CTX* ctx, E3_Addr address) {
  const uint32_t offset = address - ELAN_MEMORY_BASE;
  if (offset >= ELAN_HALVES * ELAN_MEMORY_BYTES || ctx->physical[offset / ELAN_CHUNK_BYTES] == 0) {
    char text[128];
    snprintf(text, sizeof text, "elan3lib: Elan address 0x%08x is not Elan memory; get it from elan3_allocElan",
             address);
    hal_abort(text);
  }
  return ctx->sdram + ctx->physical[offset / ELAN_CHUNK_BYTES] + offset % ELAN_CHUNK_BYTES;
}

void elan3_write32_to_sdram(ELAN3_CTX* ctx, E3_Addr to, uint32_t value) {
  hal_write32(elan3_elan2sdram(ctx, to), value);
}

void elan3_write64_to_sdram(ELAN3_CTX* ctx, E3_Addr to, uint64_t value) {
  hal_write64(elan3_elan2sdram(ctx, to), value);
}

uint32_t elan3_read32_from_sdram(ELAN3_CTX* ctx, E3_Addr from) { return hal_read32(elan3_elan2sdram(ctx, from)); }

void elan3_copy32_to_sdram(ELAN3_CTX* ctx, const void* from, E3_Addr to) {
  hal_write_block(elan3_elan2sdram(ctx, to), from, 32);
}

void elan3_copy_to_sdram(ELAN3_CTX* ctx, const void* from, E3_Addr to, size_t bytes) {
  hal_write_block(elan3_elan2sdram(ctx, to), from, bytes);
}

void elan3_copy_from_sdram(ELAN3_CTX* ctx, E3_Addr from, void* to, size_t bytes) {
  hal_read_block(elan3_elan2sdram(ctx, from), to, bytes);
}
