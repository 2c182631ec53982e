/* Tag matching, on the Elan3's thread processor: one thread for each process. It is woken by messages that arrive in
 * the input queue and by the process's receives. Small messages it copies out of the queue; large ones it fetches with
 * a DMA that reads, which also signals its completion to both sides.
 */
#include <string.h>

#include "sw/elanlib/firmware/tport_records.h"
#include "sw/hal/elan3_thread.h"

/* Fetches of a process that have not ended: the card's run queue of 1024 DMAs is for all that its processes have under
 * way (sw/elanlib/tport.c; FACTS.md 1.1). */
#define FETCHES_MOST 64u
/* Steps, of which a comparison is the shortest, before it yields to other threads: about 10 ms. */
#define STEPS_MOST 2048u

struct list {
  e3_addr first, last;
};

struct matcher {
  e3_addr control_address;
  struct tport_control* control;
  struct list receives;                            /* struct tport_node, in the order posted */
  struct list early;                               /* struct tport_unexpected: in order, waiting for receives */
  struct list held;                                /* ... held back: an earlier message of the same sender is missing */
  e3_addr free;                                    /* free records, used before */
  e3_addr unused;                                  /* those never used: the next */
  uint32_t unused_left;                            /* ... how many */
  uint32_t wanted, given;                          /* how often it wanted more, and got them */
  uint32_t commands;                               /* taken */
  uint32_t steps;                                  /* since the processor was given away last */
  uint32_t fetches;                                /* ever */
  const struct tport_node* fetching[FETCHES_MOST]; /* the last ones */
};

static struct tport_node* node_at(e3_addr address) { return elan3_sdram(address, sizeof(struct tport_node)); }

static struct tport_unexpected* unexpected_at(e3_addr address) {
  return elan3_sdram(address, sizeof(struct tport_unexpected));
}

static const struct tport_envelope* envelope_at(e3_addr slot) {
  return elan3_sdram(slot, sizeof(struct tport_envelope));
}

static e3_addr envelope_of(e3_addr message) { return message + (e3_addr)offsetof(struct tport_unexpected, slot); }

/* ---- lists: `next` gives the link of the element at an address ---- */
typedef e3_addr* (*link_of)(e3_addr);

static e3_addr* node_link(e3_addr address) { return &node_at(address)->next; }

static e3_addr* unexpected_link(e3_addr address) { return &unexpected_at(address)->next; }

static void append(struct list* list, e3_addr element, link_of next) {
  *next(element) = 0;
  if (list->last)
    *next(list->last) = element;
  else
    list->first = element;
  list->last = element;
}

static void unlink_after(struct list* list, e3_addr before, e3_addr element, link_of next) {
  const e3_addr after = *next(element);
  if (before)
    *next(before) = after;
  else
    list->first = after;
  if (list->last == element) list->last = before;
}

/* ---- unexpected messages ---- */
/* The process has the card's memory: it gives more when it next is in the library. */
static void want_places(struct matcher* matcher) {
  if (matcher->wanted != matcher->given) return;
  ++matcher->wanted;
  elan3_store(matcher->control->wanted, &matcher->wanted, sizeof matcher->wanted);
}

/* A record for a message, or 0 if all are in use. */
static e3_addr take_place(struct matcher* matcher) {
  if (matcher->free) {
    const e3_addr place = matcher->free;
    matcher->free = unexpected_at(place)->next;
    return place;
  }
  if (matcher->unused_left == 0) {
    want_places(matcher);
    return 0;
  }
  const e3_addr place = matcher->unused;
  matcher->unused += (e3_addr)sizeof(struct tport_unexpected);
  --matcher->unused_left;
  return place;
}

static void give_place(struct matcher* matcher, e3_addr place) {
  unexpected_at(place)->next = matcher->free;
  matcher->free = place;
}

static uint32_t carried(const struct tport_envelope* envelope) { return envelope->source ? 0 : envelope->bytes; }

/* Keeps a copy of a slot's contents. 0 if there is no record for it. */
static int keep(struct matcher* matcher, struct list* list, e3_addr slot) {
  const e3_addr place = take_place(matcher);
  if (!place) return 0;
  const uint32_t bytes = (uint32_t)sizeof(struct tport_envelope) + carried(envelope_at(slot));
  elan3_block_copy(envelope_of(place), slot, bytes);
  append(list, place, unexpected_link);
  return 1;
}

/* ---- matching ---- */
static int matches(struct matcher* matcher, const struct tport_command* receive,
                   const struct tport_envelope* envelope) {
  ++matcher->steps;
  return ((receive->sender ^ envelope->sender) & receive->sender_mask) == 0 &&
         ((receive->tag ^ envelope->tag) & receive->tag_mask) == 0;
}

static struct tport_status status_of(const struct tport_envelope* envelope) {
  return (struct tport_status){.tag = envelope->tag,
                               .sender = envelope->sender,
                               .process = envelope->process,
                               .bytes = envelope->bytes,
                               .done = TPORT_MATCHED};
}

static void tell(const struct tport_command* command, struct tport_status status) {
  elan3_store(command->status, &status, sizeof status);
}

/* Yields the processor if long lists or many messages keep this thread busy. */
static void let_others(struct matcher* matcher) {
  if (++matcher->steps < STEPS_MOST) return;
  matcher->steps = 0;
  elan3_break();
}

/* A node that a later receive has reused carries the number of a later fetch: this one has ended. */
static void wait_for_oldest_fetch(const struct matcher* matcher) {
  const struct tport_node* oldest = matcher->fetching[matcher->fetches % FETCHES_MOST];
  while (oldest && oldest->fetch == matcher->fetches - FETCHES_MOST && oldest->event.count > 0) {
    elan3_break();
  }
}

/* Starts the fetch of the data. The DMA's end sets the sender's event, and here one that copies the status. */
static void fetch(struct matcher* matcher, e3_addr address, const struct tport_envelope* envelope, uint32_t bytes) {
  wait_for_oldest_fetch(matcher);
  struct tport_node* node = node_at(address);
  matcher->fetching[matcher->fetches % FETCHES_MOST] = node;
  node->fetch = matcher->fetches++;
  const uint32_t self = matcher->control->self;
  node->status = status_of(envelope);
  node->event = (struct e3_block_event){.count = 1,
                                        .type = E3_EVENT_COPY,
                                        .source = address + (e3_addr)offsetof(struct tport_node, status),
                                        .dest = node->command.status};
  node->dma = (struct e3_dma){.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_READ, 0, E3_DMA_RETRIES),
                              .size = bytes,
                              .source = envelope->source,
                              .dest = node->command.buffer,
                              .dest_event = address + (e3_addr)offsetof(struct tport_node, event),
                              .dest_cookie_proc = E3_COOKIE_PROC(E3_COOKIE_THREAD, self),
                              .src_event = envelope->source_event,
                              .src_cookie_proc = E3_COOKIE_PROC(E3_COOKIE_THREAD, envelope->process)};
  elan3_put_dma(address + (e3_addr)offsetof(struct tport_node, dma));
}

/* Gives a message to a receive. */
static void deliver(struct matcher* matcher, e3_addr node, e3_addr slot) {
  const struct tport_envelope* envelope = envelope_at(slot);
  const struct tport_command* receive = &node_at(node)->command;
  const uint32_t bytes = envelope->bytes < receive->size ? envelope->bytes : receive->size;
  if (envelope->source_event) {
    fetch(matcher, node, envelope, bytes);
    return;
  }
  if (bytes > 0) elan3_block_copy(receive->buffer, slot + (e3_addr)sizeof *envelope, bytes);
  tell(receive, status_of(envelope));
}

/* A sender cancels a message, if it has not been matched. */
static void take_back(struct matcher* matcher, const struct tport_envelope* wanted) {
  e3_addr before = 0, place = matcher->early.first;
  for (; place; before = place, place = unexpected_at(place)->next) {
    const struct tport_envelope* envelope = envelope_at(envelope_of(place));
    if (envelope->process == wanted->process && envelope->source_event == wanted->source_event) break;
  }
  if (!place) return;
  unlink_after(&matcher->early, before, place, unexpected_link);
  give_place(matcher, place);
  const uint32_t taken_back = 1;
  do {
    elan3_open(wanted->process);
    elan3_send_transaction(E3_TR_WRITE_BLOCK | E3_TR_SEND_ACK | E3_TR_LAST, wanted->source, &taken_back,
                           sizeof taken_back);
  } while (elan3_close(0) != E3_ACK_OK);
}

/* Matches the next message in order against the receives. 0 if it had to be kept and there was no record. */
static int meet_receives(struct matcher* matcher, e3_addr slot) {
  const struct tport_envelope* envelope = envelope_at(slot);
  if (envelope->bytes == TPORT_NO_MESSAGE) {
    take_back(matcher, envelope);
    return 1;
  }
  e3_addr before = 0, node = matcher->receives.first;
  while (node) {
    const struct tport_command* receive = &node_at(node)->command;
    const e3_addr next = node_at(node)->next;
    if (!matches(matcher, receive, envelope)) {
      before = node;
    } else if (receive->kind == TPORT_PROBE) {
      tell(receive, status_of(envelope));
      unlink_after(&matcher->receives, before, node, node_link);
    } else {
      unlink_after(&matcher->receives, before, node, node_link);
      deliver(matcher, node, slot);
      return 1;
    }
    node = next;
  }
  return keep(matcher, &matcher->early, slot);
}

/* ---- wake-ups ---- */
static uint32_t* number_of(const struct matcher* matcher, uint32_t process) {
  return elan3_sdram(matcher->control->numbers + process * (e3_addr)sizeof(uint32_t), sizeof(uint32_t));
}

/* Releases messages that were held because an earlier one of the same sender was missing. A release may enable one that
 * is before it in the list: the list is walked until none is released. */
static void release_held(struct matcher* matcher, uint32_t process) {
  uint32_t* number = number_of(matcher, process);
  for (int again = 1; again;) {
    again = 0;
    e3_addr before = 0;
    for (e3_addr place = matcher->held.first, next; place; place = next) {
      const struct tport_envelope* envelope = envelope_at(envelope_of(place));
      next = unexpected_at(place)->next;
      ++matcher->steps;
      if (envelope->process != process || envelope->number != *number + 1) {
        before = place;
        continue;
      }
      /* The record is freed first, so that there is one if it has to be kept again; its contents stay. */
      unlink_after(&matcher->held, before, place, unexpected_link);
      give_place(matcher, place);
      *number += 1;
      meet_receives(matcher, envelope_of(place));
      again = 1;
      let_others(matcher);
    }
  }
}

/* 0 if the message must stay in the queue, and with it all behind it, until there is a record for it. */
static int take_message(struct matcher* matcher, e3_addr slot) {
  const struct tport_envelope* envelope = envelope_at(slot);
  uint32_t* number = number_of(matcher, envelope->process);
  if (envelope->number != *number + 1) return keep(matcher, &matcher->held, slot);
  const uint32_t process = envelope->process;
  if (!meet_receives(matcher, slot)) return 0;
  *number += 1;
  if (matcher->held.first) release_held(matcher, process);
  return 1;
}

static int drain_queue(struct matcher* matcher) {
  struct e3_input_queue* queue = &matcher->control->queue;
  int taken = 0;
  while (queue->front != queue->back || (queue->state & E3_QUEUE_FULL)) {
    if (!take_message(matcher, queue->front)) break;
    queue->front = queue->front == queue->top ? queue->base : queue->front + queue->slot_bytes;
    /* While it is full the card does not lock it, so the word is this thread's. */
    if (queue->state & E3_QUEUE_FULL) queue->state = 0;
    taken = 1;
    let_others(matcher);
  }
  return taken;
}

static void tell_none(const struct tport_command* command) {
  tell(command, (struct tport_status){.bytes = TPORT_NO_MESSAGE, .done = TPORT_MATCHED});
}

static void post(struct matcher* matcher, const struct tport_command* command) {
  struct tport_node* node = node_at(command->node);
  node->command = *command;
  e3_addr before = 0;
  for (e3_addr place = matcher->early.first; place; before = place, place = unexpected_at(place)->next) {
    const struct tport_envelope* envelope = envelope_at(envelope_of(place));
    if (!matches(matcher, command, envelope)) continue;
    if (command->kind != TPORT_RECEIVE) {
      if (command->kind != TPORT_RECEIVE_NOWAIT) {
        tell(command, status_of(envelope));
        return;
      }
      if (envelope->bytes != command->size) {
        tell_none(command);
        return;
      }
    }
    unlink_after(&matcher->early, before, place, unexpected_link);
    deliver(matcher, command->node, envelope_of(place));
    give_place(matcher, place);
    return;
  }
  if (command->kind >= TPORT_PROBE_NOWAIT)
    tell_none(command);
  else
    append(&matcher->receives, command->node, node_link);
}

static void cancel(struct matcher* matcher, const struct tport_command* command) {
  e3_addr before = 0;
  for (e3_addr node = matcher->receives.first; node; before = node, node = node_at(node)->next) {
    if (node != command->node) continue;
    unlink_after(&matcher->receives, before, node, node_link);
    tell(command, (struct tport_status){.done = TPORT_CANCELLED});
    return;
  }
  tell(command, (struct tport_status){.done = TPORT_CANCEL_FAILED});
}

/* The thread wanted them when it had none left. */
static void take_places(struct matcher* matcher, const struct tport_command* command) {
  matcher->unused = command->buffer;
  matcher->unused_left = command->size;
  ++matcher->given;
}

static int take_commands(struct matcher* matcher) {
  const struct tport_control* control = matcher->control;
  int taken = 0;
  for (;;) {
    const e3_addr at =
        control->commands + (matcher->commands & (control->command_count - 1)) * (e3_addr)sizeof(struct tport_command);
    const struct tport_command* command = elan3_sdram(at, sizeof *command);
    if (command->number != matcher->commands + 1) return taken;
    if (command->kind == TPORT_CANCEL)
      cancel(matcher, command);
    else if (command->kind == TPORT_PLACES)
      take_places(matcher, command);
    else
      post(matcher, command);
    taken = 1;
    let_others(matcher);
    if (++matcher->commands % TPORT_CONSUMED_STEP == 0)
      elan3_store(control->consumed, &matcher->commands, sizeof matcher->commands);
  }
}

void elan3_thread_main(const struct e3_thread* thread, e3_addr address) {
  (void)address;
  struct matcher matcher = {.control_address = thread->argument[0]};
  matcher.control = elan3_sdram(matcher.control_address, sizeof *matcher.control);
  matcher.unused = matcher.control->unexpected;
  matcher.unused_left = matcher.control->unexpected_count;
  for (;;) {
    elan3_wait_event(matcher.control_address + (e3_addr)offsetof(struct tport_control, queue.event));
    matcher.steps = 0;
    /* A receive may free records for messages that had to stay in the queue. */
    while (take_commands(&matcher) | drain_queue(&matcher)) continue;
    elan3_break();
  }
}
