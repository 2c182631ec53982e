/* Events, DMAs and threads: records in Elan memory and stores to the command port. */
#include "sw/elan3lib/context.h"
#include "sw/hal/hal.h"

static void command(const ELAN3_CTX* ctx, uint32_t port, E3_Addr argument) {
  hal_write32(ctx->command_port + port, argument);
}

void elan3_initevent(ELAN3_CTX* ctx, E3_Addr event) {
  const struct e3_event record = {.count = 1};
  elan3_copy_to_sdram(ctx, &record, event, sizeof record);
}

static void init_copy(ELAN3_CTX* ctx, E3_Addr event, E3_Addr source, volatile void* main, size_t bytes) {
  elan3_addressable(ctx, main, bytes);
  const struct e3_block_event record = {
      .count = 1, .type = E3_EVENT_COPY, .source = source, .dest = elan3_main2elan_all(ctx, main, bytes)};
  elan3_copy_to_sdram(ctx, &record, event, sizeof record);
}

void elan3_initevent_word(ELAN3_CTX* ctx, E3_Addr event, E3_Addr source, uint32_t value, volatile uint32_t* main) {
  elan3_write32_to_sdram(ctx, source, value);
  init_copy(ctx, event, source | E3_EVENT_COPY_WORD, main, sizeof *main);
}

void elan3_initevent_main(ELAN3_CTX* ctx, E3_Addr event, E3_Addr source, volatile void* main) {
  init_copy(ctx, event, source, main, E3_COPY_BLOCK_BYTES);
}

void elan3_primeevent(ELAN3_CTX* ctx, E3_Addr event, int count) { elan3_write32_to_sdram(ctx, event, (uint32_t)count); }

void elan3_setevent(ELAN3_CTX* ctx, E3_Addr event) { command(ctx, E3_CP_SET_EVENT, event); }

void elan3_waitdmaevent0(ELAN3_CTX* ctx, E3_Addr dma, E3_Addr event, int count) {
  const struct e3_event record = {.count = count, .type = E3_EVENT_DMA(dma)};
  elan3_copy_to_sdram(ctx, &record, event, sizeof record);
}

void elan3_waitevent_word(ELAN3_CTX* ctx, const volatile uint32_t* main, uint32_t value) {
  (void)ctx;
  for (uint32_t seen = *main; seen != value; seen = *main) hal_wait_word(main, seen, UINT64_MAX);
}

uint32_t elan3_local_cookie(ELAN3_CTX* ctx, unsigned process) {
  ctx->cookie = (ctx->cookie + E3_COOKIE_STEP) & 0xffffu;
  return E3_COOKIE_PROC(ctx->cookie, process);
}

void elan3_putdma(ELAN3_CTX* ctx, E3_Addr dma) { command(ctx, E3_CP_PUT_DMA, dma); }

void elan3_runthread(ELAN3_CTX* ctx, E3_Addr thread) { command(ctx, E3_CP_RUN_THREAD, thread); }
