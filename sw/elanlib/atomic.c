/* Atomic operations on words of other processes: requests to the thread of the process that owns the word. */
#include "sw/elanlib/base.h"
#include "sw/elanlib/firmware/atomic_records.h"
#include "sw/hal/hal.h"

#define QUEUE_SLOTS 128u /* requests that wait for the thread; senders of further ones retry (A) */
#define THREAD_ALIGN 32u

/* A queued DMA and what it carries, in one block. */
struct request_slot {
  struct e3_dma dma;
  struct atomic_request request;
};
_Static_assert(sizeof(struct request_slot) == sizeof(struct slot), "in the place of an event's slot");
_Static_assert(offsetof(struct elan_event, done) - offsetof(struct elan_event, before) ==
                   offsetof(struct atomic_answer, done),
               "an answer is written into an event");

void elan_atomicInit(ELAN_BASE* base) {
  if (base->atomics != 0) return;
  base->atomics = elan_gallocElan(base, sizeof(struct e3_input_queue));
  const E3_Addr slots = elan_gallocElan(base, QUEUE_SLOTS * CACHE_LINE);
  if (base->atomics == 0 || slots == 0) hal_abort("elan_atomicInit: no Elan memory left for its queue");
  const struct e3_input_queue queue = {.back = slots,
                                       .slot_bytes = CACHE_LINE,
                                       .top = slots + (QUEUE_SLOTS - 1) * CACHE_LINE,
                                       .base = slots,
                                       .front = slots,
                                       .event = {.count = 1}};
  elan3_copy_to_sdram(base->ctx, &queue, base->atomics, sizeof queue);
  const struct e3_thread thread = {.program = elan3_loadprogram(base->ctx, "atomic"), .argument = {base->atomics}};
  const E3_Addr address = elan3_allocElan(base->ctx, THREAD_ALIGN, sizeof thread);
  if (address == 0) hal_abort("elan_atomicInit: no Elan memory left for its thread");
  elan3_copy_to_sdram(base->ctx, &thread, address, sizeof thread);
  elan3_runthread(base->ctx, address);
  elan_gsync(base->all);
}

ELAN_EVENT* elan_atomicReady(ELAN_BASE* base, enum word_operation operation, unsigned width, E3_Addr word,
                             uint64_t operand, uint64_t comparand, unsigned process) {
  struct elan_event* event = elan_event_take(base);
  const struct request_slot slot = {
      .dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_QUEUED, E3_DMA_RETRIES),
              .size = sizeof slot.request,
              .source = event->slot + (E3_Addr)offsetof(struct request_slot, request),
              .dest = base->atomics,
              .dest_cookie_proc = elan3_local_cookie(base->ctx, process),
              .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)},
      .request = {.operation = (uint8_t)operation,
                  .width = (uint8_t)width,
                  .process = (uint16_t)base->self,
                  .word = word,
                  .answer = event->done_address - (E3_Addr)offsetof(struct atomic_answer, done),
                  .operand = operand,
                  .comparand = comparand}};
  elan3_copy_to_sdram(base->ctx, &slot, event->slot, sizeof slot);
  return event;
}

ELAN_EVENT* elan_atomic(ELAN_BASE* base, enum word_operation operation, unsigned width, E3_Addr word, uint64_t operand,
                        uint64_t comparand, unsigned process) {
  ELAN_EVENT* event = elan_atomicReady(base, operation, width, word, operand, comparand, process);
  elan3_putdma(base->ctx, event->slot);
  return event;
}

uint64_t elan_atomicWait(ELAN_EVENT* event) {
  elan_sleep_while(event->base, &event->done, 0);
  const uint64_t before = event->before;
  elan_event_release(event);
  return before;
}
