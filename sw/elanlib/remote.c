/* Remote put and get: a descriptor, an event, a store to the command port. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/base.h"
#include "sw/hal/hal.h"

#define EVENTS_AT_ONCE 32u /* made when the pool is empty */

_Static_assert(sizeof(struct slot) == CACHE_LINE, "a slot is one block");
_Static_assert(sizeof(struct elan_event) == CACHE_LINE, "an event's word has a line to itself");

static void grow(struct elan_base* base) {
  const size_t bytes = EVENTS_AT_ONCE * sizeof(struct elan_event);
  struct elan_event* events = elan3_allocMain(base->ctx, CACHE_LINE, bytes);
  const E3_Addr slots = elan3_allocElan(base->ctx, CACHE_LINE, EVENTS_AT_ONCE * sizeof(struct slot));
  if (!events || slots == 0) hal_abort("elanlib: no memory for more operations; wait for some that are under way");
  for (unsigned i = EVENTS_AT_ONCE; i-- > 0;) {
    events[i] = (struct elan_event){.done_address = elan3_main2elan(base->ctx, &events[i].done),
                                    .slot = slots + i * (E3_Addr)sizeof(struct slot),
                                    .base = base,
                                    .next = base->free_events};
    base->free_events = &events[i];
  }
}

struct elan_event* elan_event_take(struct elan_base* base) {
  if (!base->free_events) grow(base);
  struct elan_event* event = base->free_events;
  base->free_events = event->next;
  event->done = 0;
  return event;
}

void elan_event_release(struct elan_event* event) {
  event->next = event->base->free_events;
  event->base->free_events = event;
}

/* `action`: of the card, when the event has fired and its word is written; 0: none. */
static inline void issue(struct elan_event* event, struct slot* slot, uint32_t action) {
  slot->value = 1;
  slot->event =
      (struct e3_block_event){.count = 1,
                              .type = E3_EVENT_COPY | action,
                              .source = (event->slot + (E3_Addr)offsetof(struct slot, value)) | E3_EVENT_COPY_WORD,
                              .dest = event->done_address};
  elan3_copy_to_sdram(event->base->ctx, slot, event->slot, sizeof *slot);
  elan3_putdma(event->base->ctx, event->slot);
}

void elan_event_issue(struct elan_event* event, struct slot* slot) { issue(event, slot, 0); }

static struct slot slot_to_write(const struct elan_event* event, E3_Addr source, E3_Addr dest, size_t size,
                                 unsigned process, E3_Addr dest_event) {
  const struct elan_base* base = event->base;
  return (struct slot){.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                               .size = (uint32_t)size,
                               .source = source,
                               .dest = dest,
                               .dest_event = dest_event,
                               .dest_cookie_proc = elan3_local_cookie(base->ctx, process),
                               .src_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                               .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
}

ELAN_EVENT* elan_putEvent(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process,
                          E3_Addr dest_event) {
  struct elan_event* event = elan_event_take(base);
  struct slot slot = slot_to_write(event, source, dest, size, process, dest_event);
  elan_event_issue(event, &slot);
  return event;
}

ELAN_EVENT* elan_putSmall(ELAN_BASE* base, const void* value, E3_Addr dest, size_t size, unsigned process) {
  struct elan_event* event = elan_event_take(base);
  struct slot slot = slot_to_write(event, event->slot + (E3_Addr)offsetof(struct slot, small), dest, size, process, 0);
  memcpy(&slot.small, value, size);
  elan_event_issue(event, &slot);
  return event;
}

ELAN_EVENT* elan_putThen(ELAN_BASE* base, const void* source, E3_Addr dest, size_t size, unsigned process,
                         const ELAN_EVENT* atomic) {
  struct elan_event* event = elan_event_take(base);
  const int small = size <= ELAN_SMALL_BYTES;
  const E3_Addr from = small ? event->slot + (E3_Addr)offsetof(struct slot, small) : elan_address(base, source, size);
  struct slot slot = slot_to_write(event, from, dest, size, process, 0);
  if (small) memcpy(&slot.small, source, size);
  issue(event, &slot, E3_EVENT_DMA(atomic->slot));
  return event;
}

ELAN_EVENT* elan_put(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process) {
  return elan_putEvent(base, source, dest, size, process, 0);
}

ELAN_EVENT* elan_get(ELAN_BASE* base, E3_Addr source, E3_Addr dest, size_t size, unsigned process) {
  struct elan_event* event = elan_event_take(base);
  struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES),
                              .size = (uint32_t)size,
                              .source = source,
                              .dest = dest,
                              .dest_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                              .dest_cookie_proc = elan3_local_cookie(base->ctx, base->self),
                              .src_event = 0,
                              .src_cookie_proc = elan3_local_cookie(base->ctx, process)}};
  elan_event_issue(event, &slot);
  return event;
}

int elan_poll(ELAN_EVENT* event, int how) {
  (void)how;
  if (!event->done) return 0;
  elan_event_release(event);
  return 1;
}

void elan_wait(ELAN_EVENT* event, int how) {
  (void)how;
  elan_sleep_while(event->base, &event->done, 0);
  elan_event_release(event);
}

const volatile uint32_t* elan_done(const ELAN_EVENT* event) { return &event->done; }
