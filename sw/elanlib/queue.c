/* Queues in Elan memory that other processes send to, and the host reads over the bus. */
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/base.h"
#include "sw/hal/hal.h"

/* The record that the card works with; its event copies a word to main memory, to wake the reader. */
struct queue_record {
  struct e3_input_queue queue;
  e3_addr copy_source, copy_dest; /* of the queue's event, a block-copy one */
  uint32_t word;
  uint32_t spare;
};
_Static_assert(offsetof(struct queue_record, copy_source) ==
                   offsetof(struct e3_input_queue, event) + sizeof(struct e3_event),
               "the event's copy record follows it");

struct elan_queue {
  struct elan_base* base;
  unsigned slot_bytes;
  E3_Addr record, first, last, front;
  volatile uint32_t* came;
  struct outgoing {
    char* message; /* in main memory: the card reads it when it gets to it */
    ELAN_EVENT* sending;
    unsigned process; /* to which */
  } outgoing[ELAN_QUEUE_OUTGOING];
  unsigned sends; /* so far: they use the slots in turn */
};

ELAN_QUEUE* elan_gallocQueue(ELAN_BASE* base, unsigned slots, unsigned slot_bytes) {
  if (slots < 2 || slot_bytes == 0 || slot_bytes % E3_QUEUE_BLOCK != 0 || slot_bytes > E3_QUEUE_MOST_BYTES)
    hal_abort("elan_gallocQueue: wants at least 2 slots of 64, 128, 192, 256 or 320 bytes");
  ELAN_QUEUE* queue = calloc(1, sizeof *queue);
  queue->base = base;
  queue->slot_bytes = slot_bytes;
  queue->record = elan_gallocElan(base, sizeof(struct queue_record));
  queue->first = queue->front = elan_gallocElan(base, (size_t)slots * slot_bytes);
  queue->last = queue->first + (slots - 1) * slot_bytes;
  queue->came = elan3_allocMain(base->ctx, CACHE_LINE, CACHE_LINE);
  char* messages = elan3_allocMain(base->ctx, CACHE_LINE, (size_t)ELAN_QUEUE_OUTGOING * E3_QUEUE_MOST_BYTES);
  if (queue->record == 0 || queue->first == 0 || !queue->came || !messages)
    hal_abort("elan_gallocQueue: no memory left");
  for (unsigned i = 0; i < ELAN_QUEUE_OUTGOING; ++i)
    queue->outgoing[i].message = messages + (size_t)i * E3_QUEUE_MOST_BYTES;
  *queue->came = 0;
  /* The event stays below zero, so every message fires it. */
  const struct queue_record record = {
      .queue = {.back = queue->first,
                .slot_bytes = slot_bytes,
                .top = queue->last,
                .base = queue->first,
                .front = queue->first,
                .event = {.count = 0, .type = E3_EVENT_COPY}},
      .copy_source = (queue->record + (E3_Addr)offsetof(struct queue_record, word)) | E3_EVENT_COPY_WORD,
      .copy_dest = elan3_main2elan(base->ctx, queue->came),
      .word = 1};
  elan3_copy_to_sdram(base->ctx, &record, queue->record, sizeof record);
  elan_gsync(elan_allGroup(base));
  return queue;
}

ELAN_EVENT* elan_queueReq(ELAN_QUEUE* queue, unsigned process, const void* message, size_t size) {
  struct elan_base* base = queue->base;
  if (size > queue->slot_bytes) hal_abort("elan_queueReq: the message does not fit into a slot of the queue");
  struct outgoing* outgoing = &queue->outgoing[queue->sends++ % ELAN_QUEUE_OUTGOING];
  /* A message for a dead node never completes, and the next takes its place. */
  while (outgoing->sending && !*elan_done(outgoing->sending) && !hal_is_dead(hal_rank_node((int)outgoing->process))) {
    const volatile uint32_t* done = elan_done(outgoing->sending);
    elan_sleep(base, &done, &(uint32_t){0}, 1);
  }
  /* Taken only now: it may be the awaited one, whose word is 0 again when it is taken. */
  struct elan_event* event = elan_event_take(base);
  memcpy(outgoing->message, message, size);
  struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_QUEUED, E3_DMA_RETRIES),
                              .size = (uint32_t)size,
                              .source = elan3_main2elan(base->ctx, outgoing->message),
                              .dest = queue->record,
                              .dest_cookie_proc = elan3_local_cookie(base->ctx, process),
                              .src_event = event->slot + (E3_Addr)offsetof(struct slot, event),
                              .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
  elan_event_issue(event, &slot);
  outgoing->sending = event;
  outgoing->process = process;
  return event;
}

int elan_queuePoll(ELAN_QUEUE* queue, void* message) {
  ELAN3_CTX* ctx = queue->base->ctx;
  struct e3_input_queue state;
  elan3_copy_from_sdram(ctx, queue->record, &state, sizeof state);
  if (state.front == state.back && !(state.state & E3_QUEUE_FULL)) return 0;
  elan3_copy_from_sdram(ctx, queue->front, message, queue->slot_bytes);
  queue->front = queue->front == queue->last ? queue->first : queue->front + queue->slot_bytes;
  elan3_write32_to_sdram(ctx, queue->record + (E3_Addr)offsetof(struct e3_input_queue, front), queue->front);
  /* While it is full the card does not lock it, so the word is ours. */
  if (state.state & E3_QUEUE_FULL)
    elan3_write32_to_sdram(ctx, queue->record + (E3_Addr)offsetof(struct e3_input_queue, state), 0);
  return 1;
}

void elan_queueWait(ELAN_QUEUE* queue, void* message, int how) {
  (void)how;
  for (;;) {
    *queue->came = 0;
    if (elan_queuePoll(queue, message)) return;
    elan_sleep_while(queue->base, queue->came, 0);
  }
}

volatile uint32_t* elan_queueCame(const ELAN_QUEUE* queue) { return queue->came; }
