/* Rank 0 does something forbidden, selected by its argument; the others wait for it for ever. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/elan.h"
#include "sw/hal/hal.h"

#define NOWHERE 0x0f000000u /* an unmapped Elan address */
#define BYTES 4096u

static unsigned char guarded[BYTES];

static void issue(ELAN_BASE* base, E3_DMA dma) {
  ELAN3_CTX* ctx = elan_ctx(base);
  const E3_Addr at = elan3_allocElan(ctx, E3_DMA_ALIGN, sizeof dma);
  elan3_copy32_to_sdram(ctx, &dma, at);
  elan3_putdma(ctx, at);
}

static void misbehave(ELAN_BASE* base, const char* what) {
  const E3_Addr mine = elan_address(base, guarded, BYTES);
  E3_DMA dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                .size = BYTES,
                .source = mine,
                .dest = mine,
                .dest_cookie_proc = elan3_local_cookie(elan_ctx(base), 1),
                .src_cookie_proc = elan3_local_cookie(elan_ctx(base), 0)};
  if (strcmp(what, "dest") == 0) dma.dest = NOWHERE;
  if (strcmp(what, "source") == 0) dma.source = NOWHERE;
  if (strcmp(what, "route") == 0) dma.dest_cookie_proc = elan3_local_cookie(elan_ctx(base), 9999);
  if (strcmp(what, "type") == 0) dma.type = 0xffffffffu;
  if (strcmp(what, "size") == 0) dma.size = 0xffffffffu;
  if (strcmp(what, "event") == 0) dma.dest_event = mine;
  if (strcmp(what, "get") == 0) {
    dma.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES);
    dma.dest = NOWHERE;
    dma.src_cookie_proc = elan3_local_cookie(elan_ctx(base), 1);
    dma.dest_cookie_proc = elan3_local_cookie(elan_ctx(base), 0);
  }
  if (strcmp(what, "sdram") == 0) hal_write32(hal_device(E3_BAR_SDRAM) + 64, 0); /* the driver's tables */
  if (strcmp(what, "another") == 0) hal_write32(hal_device(E3_BAR_COMMAND), 0);
  if (strcmp(what, "descriptor") == 0)
    elan3_putdma(elan_ctx(base), NOWHERE);
  else
    issue(base, dma);
}

int main(int argc, char** argv) {
  ELAN_BASE* base = elan_baseInit();
  const int rank = hal_rank();
  memset(guarded, 0x5a, sizeof guarded);
  elan_gsync(elan_allGroup(base));
  if (rank == 0 && argc > 1) misbehave(base, argv[1]);
  hal_sleep_ps(1000000000); /* 1 ms: the trap comes long before */
  for (unsigned i = 0; i < BYTES; ++i)
    if (guarded[i] != 0x5a) printf("rank %d: byte %u was written\n", rank, i);
  elan_gsync(elan_allGroup(base));
  if (rank == 0) printf("PASS\n");
  return 0;
}
