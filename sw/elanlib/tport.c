/* Tports, the process's side: sends envelopes to the input queues of others, and receives to its card's thread. */
#include "sw/elanlib/tport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/elanlib/tport_state.h"
#include "sw/hal/hal.h"
#include "sw/support/size.h"

#define EVENTS_AT_ONCE 32u
#define QUEUE_SLOTS 64u         /* of 320 bytes, for what arrives while the thread is busy (A) */
#define COMMANDS 256u           /* receives that the thread has not looked at (A) */
#define UNEXPECTED_DEFAULT "2M" /* for messages that came before their receives: 4096 of them (A) */
/* Limit of the card's memory for unexpected messages when a process needs more than that (A): the processes of a node
 * share it, and it has other uses. */
#define UNEXPECTED_MOST_BYTES (E3_SDRAM_BYTES / 2)
#define UNEXPECTED_LEAST 64u /* as many as the queue has slots, so that messages out of order can be held back (A) */
#define THREAD_ALIGN 32u
/* Eager sends whose packets the card may still hold, at most. With all other operations of a node's processes they stay
 * below the 1024 entries of the card's run queue (FACTS.md 1.1). */
#define EAGER_MOST 128u
/* Rendezvous sends whose envelopes have no event, at most. Further envelopes are sent with an event, as eager messages
 * are. */
#define UNWATCHED_MOST 32u
#define EAGER_SEARCH 64u /* sends before their packets are looked at again */

_Static_assert(sizeof(struct elan_tport_event) % CACHE_LINE == 0, "events begin with a line");
_Static_assert(sizeof(struct tport_node) == 4 * CACHE_LINE, "a node does not run across a page");
_Static_assert(sizeof(struct tport_unexpected) == 512, "nor does an unexpected message");
_Static_assert(sizeof(struct tport_status) == CACHE_LINE, "a status is copied as one block");

static E3_Addr elan_memory(struct elan_base* base, size_t bytes) {
  const E3_Addr address = elan3_allocElan(base->ctx, CACHE_LINE, bytes);
  if (address == 0)
    hal_abort("elan_tportInit: no Elan memory left for the message ports; choose a smaller -s transport.unexpected");
  return address;
}

/* A message takes one buffer, whatever its size. */
static uint32_t unexpected_records(void) {
  const char* text = hal_setting("transport.unexpected", UNEXPECTED_DEFAULT,
                                 "bytes that a process keeps of messages that came before their receives, to begin "
                                 "with",
                                 "assumed (sw/elanlib/tport.c)");
  const size_t places = size_setting("transport.unexpected", text) / sizeof(struct tport_unexpected);
  if (places < UNEXPECTED_LEAST) hal_abort("transport.unexpected is too small for this card: it takes 32K at least");
  return (uint32_t)places;
}

static void start_thread(struct elan_tport* tport) {
  struct elan_base* base = tport->base;
  const struct e3_thread thread = {.program = elan3_loadprogram(base->ctx, "tport"), .argument = {tport->control}};
  const E3_Addr address = elan3_allocElan(base->ctx, THREAD_ALIGN, sizeof thread);
  elan3_copy_to_sdram(base->ctx, &thread, address, sizeof thread);
  elan3_runthread(base->ctx, address);
}

/* ---- more buffers for unexpected messages ---- */
/* Printed once: the program may be about to deadlock. */
static void tell_full(const struct elan_tport* tport) {
  fprintf(
      stderr,
      "note: %u messages have come before their receives, and Elan memory has no place for more: later ones wait in "
      "the network, also one that a receive is posted for; receive them sooner, or run with -s "
      "transport.matching=host\n",
      tport->news->places);
}

/* Doubles them, or takes the remaining memory. */
static void give_more_places(struct elan_tport* tport) {
  const uint32_t most = UNEXPECTED_MOST_BYTES / (uint32_t)sizeof(struct tport_unexpected) / tport->base->node_count;
  struct tport_news* news = tport->news;
  ++news->given;
  uint32_t more = news->places < most ? news->places : 0;
  if (more > most - news->places) more = most - news->places;
  E3_Addr at = 0;
  while (more > 0 && !(at = elan3_allocElan(tport->base->ctx, CACHE_LINE, more * sizeof(struct tport_unexpected))))
    more /= 2;
  if (more == 0) {
    tell_full(tport);
    return;
  }
  news->places += more;
  struct tport_command command = {.kind = TPORT_PLACES, .buffer = at, .size = more};
  tport_tell(tport, &command);
}

static void give_places(struct elan_tport* tport) {
  if (tport->news->wanted != tport->news->given) give_more_places(tport);
}

/* Progress hook: runs whenever the process is in the library. */
static void progress(struct elan_tport* tport) {
  give_places(tport);
  if (tport->intra_node) intra_node_progress(tport);
}

static void make(void* self) { progress(self); }

static unsigned watch(void* self, const volatile uint32_t** words, uint32_t* seen, unsigned count) {
  const struct elan_tport* tport = self;
  words[count] = &tport->news->wanted;
  seen[count] = tport->news->given;
  return tport->intra_node ? intra_node_watch(tport, words, seen, count + 1) : count + 1;
}

/* All processes allocate in the same order, so each control record has the same Elan address. */
ELAN_TPORT* elan_tportInit(ELAN_BASE* base) {
  static struct elan_tport* tport;
  if (tport) return tport;
  tport = calloc(1, sizeof *tport);
  tport->base = base;
  tport->sent = (struct elan_tport_event){.role = TX_EAGER, .tport = tport};
  tport->control = elan_gallocElan(base, sizeof(struct tport_control));
  if (tport->control == 0) hal_abort("elan_tportInit: no Elan memory left for the message ports");
  tport->commands = elan_memory(base, COMMANDS * sizeof(struct tport_command));
  tport->numbers = calloc(base->count, sizeof *tport->numbers);
  tport->news = elan3_allocMain(base->ctx, CACHE_LINE, sizeof *tport->news);
  const E3_Addr slots = elan_memory(base, QUEUE_SLOTS * E3_QUEUE_MOST_BYTES);
  const uint32_t places = unexpected_records();
  *tport->news = (struct tport_news){.places = places};
  const struct tport_control control = {.queue = {.slot_bytes = E3_QUEUE_MOST_BYTES,
                                                  .base = slots,
                                                  .back = slots,
                                                  .front = slots,
                                                  .top = slots + (QUEUE_SLOTS - 1) * E3_QUEUE_MOST_BYTES,
                                                  .event = {.count = 1}},
                                        .commands = tport->commands,
                                        .command_count = COMMANDS,
                                        .consumed = elan3_main2elan(base->ctx, &tport->news->consumed),
                                        .unexpected = elan_memory(base, places * sizeof(struct tport_unexpected)),
                                        .unexpected_count = places,
                                        .numbers = elan_memory(base, base->count * sizeof(uint32_t)),
                                        .self = base->self,
                                        .wanted = elan3_main2elan(base->ctx, &tport->news->wanted)};
  elan3_copy_to_sdram(base->ctx, &control, tport->control, sizeof control);
  start_thread(tport);
  intra_node_start(tport);
  base->progress_hooks = (struct elan_progress_hooks){.self = tport, .make = make, .watch = watch};
  elan_gsync(base->all);
  return tport;
}

void elan_tportServeThreads(ELAN_TPORT* tport) {
  if (tport->intra_node) intra_node_serve_threads(tport);
}

/* ---- events ---- */
static void grow(struct elan_tport* tport) {
  ELAN3_CTX* ctx = tport->base->ctx;
  struct elan_tport_event* events = elan3_allocMain(ctx, CACHE_LINE, EVENTS_AT_ONCE * sizeof *events);
  const E3_Addr nodes = elan_memory(tport->base, EVENTS_AT_ONCE * sizeof(struct tport_node));
  if (!events) hal_abort("elanlib: no memory for more messages under way; wait for some");
  for (unsigned i = EVENTS_AT_ONCE; i-- > 0;) {
    events[i].tport = tport;
    events[i].address = elan3_main2elan(ctx, &events[i]);
    events[i].node = nodes + i * (E3_Addr)sizeof(struct tport_node);
    tport_give(&events[i]);
  }
}

/* A send to a dead node never ends; the card may still use its event. */
static int is_for_the_dead(const struct elan_tport_event* event) {
  const struct elan_base* base = event->tport->base;
  return base->hopeless && *base->deaths != 0 && hal_is_dead(hal_rank_node((int)event->dest));
}

/* Eager sends end nearly in the order in which they began: checks the oldest. */
static void reclaim_eager(struct elan_tport* tport) {
  while (tport->eager_first && (tport->eager_first->done || is_for_the_dead(tport->eager_first))) {
    struct elan_tport_event* event = tport->eager_first;
    tport->eager_first = event->next;
    if (!tport->eager_first) tport->eager_last = NULL;
    if (event->done) tport_give(event);
    --tport->eager_count;
  }
}

static void remember_eager(struct elan_tport* tport, struct elan_tport_event* event) {
  event->next = NULL;
  if (tport->eager_last)
    tport->eager_last->next = event;
  else
    tport->eager_first = event;
  tport->eager_last = event;
  if (++tport->eager_count % EAGER_SEARCH == 0) reclaim_eager(tport);
  while (tport->eager_count >= EAGER_MOST) {
    elan_sleep_while(tport->base, &tport->eager_first->done, 0);
    reclaim_eager(tport);
  }
}

struct elan_tport_event* tport_take(struct elan_tport* tport, enum tport_role role) {
  give_places(tport);
  if (!tport->free_events) reclaim_eager(tport);
  if (!tport->free_events) grow(tport);
  struct elan_tport_event* event = tport->free_events;
  tport->free_events = event->next;
  event->role = role;
  event->done = 0;
  event->status.done = 0;
  return event;
}

void tport_give(struct elan_tport_event* event) {
  event->next = event->tport->free_events;
  event->tport->free_events = event;
}

/* ---- sending ---- */
/* The descriptor and the event go into the Elan memory of the node: the first 64 bytes of it, as a struct slot. Only
 * the event if another one carries the envelope. */
static void issue(struct elan_tport_event* event, unsigned dest, size_t packet_bytes) {
  ELAN3_CTX* ctx = event->tport->base->ctx;
  const E3_Addr fired = event->node + (E3_Addr)offsetof(struct slot, event);
  const struct slot slot = {
      .dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, E3_DMA_QUEUED, E3_DMA_RETRIES),
              .size = (uint32_t)packet_bytes,
              .source = event->address + (E3_Addr)offsetof(struct elan_tport_event, packet),
              .dest = event->tport->control + (E3_Addr)offsetof(struct tport_control, queue),
              .dest_cookie_proc = elan3_local_cookie(ctx, dest),
              .src_event = event->role == TX_EAGER ? fired : 0,
              .src_cookie_proc = elan3_local_cookie(ctx, event->tport->base->self)},
      .event = {.count = 1,
                .type = E3_EVENT_COPY,
                .source = (event->node + (E3_Addr)offsetof(struct slot, value)) | E3_EVENT_COPY_WORD,
                .dest = event->address + (E3_Addr)offsetof(struct elan_tport_event, done)},
      .value = 1};
  elan3_copy_to_sdram(ctx, &slot, event->node, sizeof slot);
  if (packet_bytes > 0) elan3_putdma(ctx, event->node);
}

/* Envelopes that find no buffer at their receivers stay in the card's run queue, whose size is limited. So beyond
 * UNWATCHED_MOST the event for the fetch is prepared, and a second event carries the envelope and is waited for, as for
 * an eager message. */
static void announce(struct elan_tport_event* event, unsigned dest, size_t bytes) {
  struct elan_tport* tport = event->tport;
  if (++tport->rendezvous <= UNWATCHED_MOST) {
    issue(event, dest, bytes);
    return;
  }
  struct elan_tport_event* carrier = tport_take(tport, TX_EAGER);
  carrier->dest = dest;
  memcpy(carrier->packet, event->packet, bytes);
  issue(event, dest, 0);
  issue(carrier, dest, bytes);
  remember_eager(tport, carrier);
}

ELAN_TPORT_EVENT* elan_tportTxStart(ELAN_TPORT* tport, int flags, unsigned dest, unsigned sender, uint64_t tag,
                                    const void* buffer, size_t size) {
  if (tport->intra_node && elan_sameNode(tport->base, dest))
    return intra_node_send(tport, flags, dest, sender, tag, buffer, size);
  const int eager = size <= TPORT_EAGER_BYTES && !(flags & ELAN_TPORT_TXSYNC);
  struct elan_tport_event* event = tport_take(tport, eager ? TX_EAGER : TX_RENDEZVOUS);
  event->dest = dest;
  struct tport_envelope envelope = {.process = tport->base->self,
                                    .number = ++tport->numbers[dest],
                                    .tag = tag,
                                    .sender = sender,
                                    .bytes = (uint32_t)size};
  if (eager) {
    memcpy(event->packet + sizeof envelope, buffer, size);
  } else {
    envelope.source = size > 0 ? elan_address(tport->base, buffer, size) : event->address;
    envelope.source_event = event->node + (E3_Addr)offsetof(struct slot, event);
  }
  memcpy(event->packet, &envelope, sizeof envelope);
  if (!eager) {
    announce(event, dest, sizeof envelope);
    return event;
  }
  issue(event, dest, sizeof envelope + size);
  remember_eager(tport, event);
  return &tport->sent;
}

int elan_tportTxDone(ELAN_TPORT_EVENT* event) {
  give_places(event->tport);
  if (event->role == TX_INTRA_NODE) intra_node_progress(event->tport);
  return event->role == TX_EAGER || event->done;
}

void elan_tportTxWait(ELAN_TPORT_EVENT* event) {
  if (event->role == TX_EAGER) return; /* its packet is freed later */
  if (!elan_sleep_with_hope(event->tport->base, &event->done, 0)) return;
  event->tport->rendezvous -= event->role == TX_RENDEZVOUS;
  tport_give(event);
}

/* Asks the matching thread of the receiver, which reads the question after the message. It answers if it still
 * has the message; else the data are being fetched, which ends `event`. */
static int take_back_from_card(struct elan_tport_event* event) {
  struct elan_tport* tport = event->tport;
  struct elan_tport_event* answer = tport_take(tport, TX_RENDEZVOUS);
  struct elan_tport_event* carrier = tport_take(tport, TX_EAGER);
  const struct tport_envelope envelope = {.process = tport->base->self,
                                          .number = ++tport->numbers[event->dest],
                                          .bytes = TPORT_NO_MESSAGE,
                                          .source = answer->address + (E3_Addr)offsetof(struct elan_tport_event, done),
                                          .source_event = event->node + (E3_Addr)offsetof(struct slot, event)};
  carrier->dest = event->dest;
  memcpy(carrier->packet, &envelope, sizeof envelope);
  issue(carrier, event->dest, sizeof envelope);
  remember_eager(tport, carrier);
  ELAN_TPORT_EVENT* const ends[] = {event, answer};
  while (!event->done && !answer->done) elan_tportWaitAny(tport, ends, 2);
  const int taken_back = answer->done != 0;
  tport_give(answer);
  return taken_back;
}

int elan_tportTxCancel(ELAN_TPORT_EVENT* event) {
  if (elan_tportTxDone(event)) return 0;
  if (!(event->role == TX_INTRA_NODE ? intra_node_take_back(event) : take_back_from_card(event))) return 0;
  event->tport->rendezvous -= event->role == TX_RENDEZVOUS;
  tport_give(event);
  return 1;
}

/* ---- receiving ---- */
void tport_tell(struct elan_tport* tport, struct tport_command* command) {
  const struct tport_news* news = tport->news;
  while (tport->issued - news->consumed >= COMMANDS - TPORT_CONSUMED_STEP)
    hal_wait_word(&news->consumed, news->consumed, UINT64_MAX);
  const E3_Addr at = tport->commands + (tport->issued % COMMANDS) * (E3_Addr)sizeof *command;
  command->number = ++tport->issued;
  elan3_copy_to_sdram(tport->base->ctx, command, at, sizeof *command);
  elan3_setevent(tport->base->ctx, tport->control + (E3_Addr)offsetof(struct tport_control, queue.event));
}

static uint32_t kind_of(int flags) {
  if (!(flags & ELAN_TPORT_RXPROBE)) return flags & ELAN_TPORT_RXNOWAIT ? TPORT_RECEIVE_NOWAIT : TPORT_RECEIVE;
  return flags & ELAN_TPORT_RXNOWAIT ? TPORT_PROBE_NOWAIT : TPORT_PROBE;
}

static void post_at_card(struct elan_tport_event* event) {
  struct elan_tport* tport = event->tport;
  struct tport_command command = {.kind = event->kind,
                                  .tag = event->tag,
                                  .tag_mask = event->tag_mask,
                                  .sender = event->sender,
                                  .sender_mask = event->sender_mask,
                                  .buffer = event->size > 0 ? elan_address(tport->base, event->buffer, event->size) : 0,
                                  .size = (uint32_t)event->size,
                                  .node = event->node,
                                  .status = event->address};
  event->at_card = 1;
  tport_tell(tport, &command);
}

ELAN_TPORT_EVENT* elan_tportRxStart(ELAN_TPORT* tport, int flags, unsigned sender_mask, unsigned sender,
                                    uint64_t tag_mask, uint64_t tag, void* buffer, size_t size) {
  struct elan_tport_event* event = tport_take(tport, RX);
  event->kind = kind_of(flags);
  event->flags = flags;
  event->tag = tag;
  event->tag_mask = tag_mask;
  event->sender = sender;
  event->sender_mask = flags & ELAN_TPORT_RXANY ? 0 : sender_mask;
  event->buffer = buffer;
  event->size = size;
  event->at_card = event->posted = 0;
  const int intra_node = tport->intra_node && !(flags & ELAN_TPORT_RXFAR);
  const int far = !intra_node || (!(flags & ELAN_TPORT_RXNEAR) && tport->base->nodes > 1);
  if (intra_node && intra_node_receive(event)) return event;
  if (far)
    post_at_card(event);
  else if (flags & ELAN_TPORT_RXNOWAIT)
    event->status = (struct tport_status){.bytes = TPORT_NO_MESSAGE, .done = TPORT_MATCHED};
  return event;
}

static const volatile uint32_t* status_word(const ELAN_TPORT_EVENT* event) { return &event->status.done; }

int elan_tportRxDone(ELAN_TPORT_EVENT* event) {
  progress(event->tport);
  return *status_word(event) != 0;
}

int elan_tportRxNone(const ELAN_TPORT_EVENT* event) { return event->status.bytes == TPORT_NO_MESSAGE; }

void* elan_tportRxWait(ELAN_TPORT_EVENT* event, unsigned* sender, uint64_t* tag, size_t* size) {
  if (!elan_sleep_with_hope(event->tport->base, status_word(event), 0)) return NULL;
  if (event->posted) intra_node_withdraw(event); /* the card has matched it */
  if (sender) *sender = event->status.sender;
  if (tag) *tag = event->status.tag;
  if (size) *size = event->status.bytes;
  tport_give(event);
  return event->buffer;
}

void elan_tportBufFree(ELAN_TPORT* tport, void* buffer) { intra_node_free(tport, buffer); }

int tport_take_back(struct elan_tport_event* event) {
  struct elan_tport_event* answer = tport_take(event->tport, RX);
  struct tport_command command = {.kind = TPORT_CANCEL, .node = event->node, .status = answer->address};
  tport_tell(event->tport, &command);
  while (*status_word(answer) == 0) hal_wait_word(status_word(answer), 0, UINT64_MAX);
  const int taken_back = answer->status.done == TPORT_CANCELLED;
  tport_give(answer);
  if (taken_back) event->at_card = 0;
  return taken_back;
}

int elan_tportRxCancel(ELAN_TPORT_EVENT* event) {
  if (elan_tportRxDone(event)) return 0;
  if (!event->at_card && !event->posted) return 0; /* an intra-node message is arriving in it */
  if (event->at_card && !tport_take_back(event)) return 0;
  if (event->posted) intra_node_withdraw(event);
  tport_give(event);
  return 1;
}

const volatile uint32_t* elan_tportWord(const ELAN_TPORT_EVENT* event) {
  return event->role == RX ? status_word(event) : &event->done;
}

void elan_tportWaitAny(ELAN_TPORT* tport, ELAN_TPORT_EVENT* const* events, size_t count) {
  const volatile uint32_t* words[count + 1];
  uint32_t seen[count + 1];
  unsigned watched = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!events[i]) continue;
    if (events[i]->role == RX ? elan_tportRxDone(events[i]) : elan_tportTxDone(events[i])) return;
    words[watched] = elan_tportWord(events[i]);
    seen[watched++] = 0;
  }
  if (watched > 0) elan_sleep(tport->base, words, seen, watched);
}
