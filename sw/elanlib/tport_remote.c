/* Remote memory as events of a Tport, so that a caller waits for puts, gets and atomic operations as for messages. */
#include <string.h>

#include "sw/elanlib/firmware/atomic_records.h"
#include "sw/elanlib/tport_state.h"
#include "sw/hal/hal.h"

#define QUEUE_SLOTS 128u /* requests that wait for the thread, as in atomic.c */
#define THREAD_ALIGN 32u

/* ---- put, get: descriptor and event in the event's node, as in remote.c ---- */
static E3_Addr in_slot(const struct elan_tport_event* event, size_t offset) { return event->node + (E3_Addr)offset; }

static void issue(struct elan_tport_event* event, struct slot* slot) {
  ELAN3_CTX* ctx = event->tport->base->ctx;
  slot->value = 1;
  slot->event = (struct e3_block_event){.count = 1,
                                        .type = E3_EVENT_COPY,
                                        .source = in_slot(event, offsetof(struct slot, value)) | E3_EVENT_COPY_WORD,
                                        .dest = event->address + (E3_Addr)offsetof(struct elan_tport_event, done)};
  elan3_copy_to_sdram(ctx, slot, event->node, sizeof *slot);
  elan3_putdma(ctx, event->node);
}

ELAN_TPORT_EVENT* elan_tportPut(ELAN_TPORT* tport, const void* source, E3_Addr dest, size_t size, unsigned process) {
  struct elan_tport_event* event = tport_take(tport, TX_REMOTE);
  const int small = size <= ELAN_SMALL_BYTES;
  struct slot slot = {
      .dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
              .size = (uint32_t)size,
              .source = small ? in_slot(event, offsetof(struct slot, small)) : elan_address(tport->base, source, size),
              .dest = dest,
              .dest_cookie_proc = elan3_local_cookie(tport->base->ctx, process),
              .src_event = in_slot(event, offsetof(struct slot, event)),
              .src_cookie_proc = elan3_local_cookie(tport->base->ctx, tport->base->self)}};
  if (small) memcpy(&slot.small, source, size);
  issue(event, &slot);
  return event;
}

ELAN_TPORT_EVENT* elan_tportGet(ELAN_TPORT* tport, E3_Addr source, void* dest, size_t size, unsigned process) {
  struct elan_tport_event* event = tport_take(tport, TX_REMOTE);
  struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES),
                              .size = (uint32_t)size,
                              .source = source,
                              .dest = elan_address(tport->base, dest, size),
                              .dest_event = in_slot(event, offsetof(struct slot, event)),
                              .dest_cookie_proc = elan3_local_cookie(tport->base->ctx, tport->base->self),
                              .src_cookie_proc = elan3_local_cookie(tport->base->ctx, process)}};
  issue(event, &slot);
  return event;
}

/* ---- atomic operations: the answer ends with the word that marks a receive as done ---- */
#define ANSWER_AT (offsetof(struct elan_tport_event, status.done) - offsetof(struct atomic_answer, done))

struct request_slot {
  struct e3_dma dma;
  struct atomic_request request;
};

ELAN_TPORT_EVENT* elan_tportAtomic(ELAN_TPORT* tport, E3_Addr atomics, enum word_operation operation, unsigned width,
                                   E3_Addr word, uint64_t operand, uint64_t comparand, unsigned process) {
  struct elan_tport_event* event = tport_take(tport, RX);
  event->posted = 0;
  ELAN3_CTX* ctx = tport->base->ctx;
  const struct request_slot slot = {
      .dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_QUEUED, E3_DMA_RETRIES),
              .size = sizeof slot.request,
              .source = in_slot(event, offsetof(struct request_slot, request)),
              .dest = atomics,
              .dest_cookie_proc = elan3_local_cookie(ctx, process),
              .src_cookie_proc = elan3_local_cookie(ctx, tport->base->self)},
      .request = {.operation = (uint8_t)operation,
                  .width = (uint8_t)width,
                  .process = (uint16_t)tport->base->self,
                  .word = word,
                  .answer = event->address + (E3_Addr)ANSWER_AT,
                  .operand = operand,
                  .comparand = comparand}};
  elan3_copy_to_sdram(ctx, &slot, event->node, sizeof slot);
  elan3_putdma(ctx, event->node);
  return event;
}

uint64_t elan_tportBefore(const ELAN_TPORT_EVENT* event) {
  uint64_t before;
  memcpy(&before, (const char*)event + ANSWER_AT, sizeof before);
  return before;
}

/* Its own queue, at an address that only this process knows: no other one takes part. */
E3_Addr elan_atomicQueue(ELAN_BASE* base) {
  static E3_Addr own;
  if (base->atomics != 0) return base->atomics;
  if (own != 0) return own;
  own = elan3_allocElan(base->ctx, CACHE_LINE, sizeof(struct e3_input_queue));
  const E3_Addr slots = elan3_allocElan(base->ctx, CACHE_LINE, QUEUE_SLOTS * CACHE_LINE);
  const E3_Addr address = elan3_allocElan(base->ctx, THREAD_ALIGN, sizeof(struct e3_thread));
  if (own == 0 || slots == 0 || address == 0) hal_abort("elan_atomicQueue: no Elan memory left; free some windows");
  const struct e3_input_queue queue = {.back = slots,
                                       .slot_bytes = CACHE_LINE,
                                       .top = slots + (QUEUE_SLOTS - 1) * CACHE_LINE,
                                       .base = slots,
                                       .front = slots,
                                       .event = {.count = 1}};
  elan3_copy_to_sdram(base->ctx, &queue, own, sizeof queue);
  const struct e3_thread thread = {.program = elan3_loadprogram(base->ctx, "atomic"), .argument = {own}};
  elan3_copy_to_sdram(base->ctx, &thread, address, sizeof thread);
  elan3_runthread(base->ctx, address);
  return own;
}
