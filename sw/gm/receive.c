/* Receive buffers, and the queue of events in this process's memory. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sw/gm/port.h"
#include "sw/hal/hal.h"

static inline void keep_stray(struct gm_port* port, void* buffer, uint64_t address) {
  if (hal_address(buffer) - address == port->distance) return;
  port->strays[port->stray_count].address = address;
  port->strays[port->stray_count++].pointer = buffer;
}

void gm_provide_receive_buffer_with_tag(struct gm_port* port, void* buffer, unsigned size, unsigned priority,
                                        unsigned tag) {
  if (port->receive_tokens == 0)
    hal_abort("gm_provide_receive_buffer: no receive token is left; a port has gm_num_receive_tokens of them");
  --port->receive_tokens;
  const uint64_t address = hal_bus_address(buffer);
  keep_stray(port, buffer, address);
  const struct lcp_receive_slot slot = {
      .address = address, .tag = tag, .size = (uint8_t)size, .priority = (uint8_t)priority, .ready = 1};
  hal_write_block(port->slots + offsetof(struct lcp_port, receive) + port->next_receive * sizeof slot, &slot,
                  sizeof slot);
  port->next_receive = (port->next_receive + 1) % LCP_RECEIVE_SLOTS;
}

void gm_provide_receive_buffer(struct gm_port* port, void* buffer, unsigned size, unsigned priority) {
  gm_provide_receive_buffer_with_tag(port, buffer, size, priority, 0);
}

gm_status_t gm_set_acceptable_sizes(struct gm_port* port, enum gm_priority priority, gm_size_t mask) {
  (void)port;
  (void)priority;
  (void)mask;
  return GM_SUCCESS; /* a message of a class without buffers is refused in any case */
}

static volatile uint32_t* next_word(const struct gm_port* port) { return &port->events[port->next_event].fields.type; }

int gm_receive_pending(struct gm_port* port) { return *next_word(port) != LCP_EVENT_NONE; }

const volatile uint32_t* gm_event_word(struct gm_port* port, uint32_t* seen) {
  *seen = LCP_EVENT_NONE;
  return next_word(port);
}

static enum gm_recv_event_type type_of(const struct gm_port* port, const struct lcp_event* event) {
  if (event->fields.type == LCP_EVENT_ALARM) return GM_ALARM_EVENT;
  if (event->fields.type == LCP_EVENT_SENT) return GM_SENT_TOKENS_EVENT;
  if (event->fields.type == LCP_EVENT_RAW_RECEIVED) return GM_RAW_RECV_EVENT;
  const int high = event->fields.priority == GM_HIGH_PRIORITY ? 1 : 0,
            peer = event->fields.port == port->number ? 2 : 0;
  const int fast = event->fields.type == LCP_EVENT_FAST_RECEIVED ? GM_FAST_RECV_EVENT : GM_RECV_EVENT;
  return (enum gm_recv_event_type)(fast + high + peer);
}

static void* take_stray(struct gm_port* port, uint64_t address) {
  for (unsigned i = 0; i < port->stray_count; ++i) {
    if (port->strays[i].address != address) continue;
    void* pointer = port->strays[i].pointer;
    port->strays[i] = port->strays[--port->stray_count];
    return pointer;
  }
  return NULL;
}

/* The receive buffer that an event names, which the card no longer has. */
static void* take_buffer(struct gm_port* port, uint64_t address) {
  void* stray = port->stray_count > 0 ? take_stray(port, address) : NULL;
  return stray ? stray : (void*)(uintptr_t)(address + port->distance);
}

int gm_next_event_peek(struct gm_port* port, gm_u16_t* sender) {
  if (!gm_receive_pending(port)) return GM_NO_RECV_EVENT;
  const struct lcp_event* event = &port->events[port->next_event];
  *sender = (gm_u16_t)(event->fields.node + 1);
  return (int)type_of(port, event);
}

gm_recv_event_t* gm_receive(struct gm_port* port) {
  if (port->told) port->told->fields.type = LCP_EVENT_NONE; /* the slot is the card's again */
  port->told = NULL;
  if (!gm_receive_pending(port)) {
    port->event = (gm_recv_event_t){.recv = {.type = GM_NO_RECV_EVENT}};
    return &port->event;
  }
  struct lcp_event* event = &port->events[port->next_event];
  port->next_event = (port->next_event + 1) % LCP_EVENT_SLOTS;
  port->told = event;
  const enum gm_recv_event_type type = type_of(port, event);
  port->event.recv = (gm_recv_t){.buffer = take_buffer(port, event->fields.buffer),
                                 .length = event->fields.length,
                                 .tag = event->fields.tag,
                                 .sender_node_id = (uint16_t)(event->fields.node + 1),
                                 .sender_port_id = (uint8_t)event->fields.port,
                                 .size = event->fields.size,
                                 .type = (uint8_t)type};
  port->event.recv.message =
      event->fields.type == LCP_EVENT_FAST_RECEIVED || event->fields.type == LCP_EVENT_RAW_RECEIVED
          ? (void*)(event->data + LCP_EVENT_DATA - event->fields.length)
          : port->event.recv.buffer;
  if (type < GM_RAW_RECV_EVENT) ++port->receive_tokens;
  return &port->event;
}

gm_recv_event_t* gm_blocking_receive(struct gm_port* port) {
  hal_wait_word(next_word(port), LCP_EVENT_NONE, UINT64_MAX);
  return gm_receive(port);
}

gm_recv_event_t* gm_blocking_receive_no_spin(struct gm_port* port) { return gm_blocking_receive(port); }

static void run_callbacks(struct gm_port* port, const struct lcp_event* event) {
  const unsigned count = event->fields.count;
  uint8_t ends[2 * LCP_SEND_SLOTS]; /* a callback may call gm_receive */
  memcpy(ends, event->data + LCP_EVENT_DATA - 2 * count, 2 * (size_t)count);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned handle = ends[2 * i];
    const gm_send_completion_callback_t callback = port->sends[handle].callback;
    void* context = port->sends[handle].context;
    port->sends[handle].next_free = port->free_send;
    port->free_send = (int)handle;
    ++port->send_tokens;
    if (callback) callback(port, context, (gm_status_t)ends[2 * i + 1]);
  }
}

static int is_high(enum gm_recv_event_type type) {
  return type == GM_HIGH_RECV_EVENT || type == GM_HIGH_PEER_RECV_EVENT || type == GM_FAST_HIGH_RECV_EVENT ||
         type == GM_FAST_HIGH_PEER_RECV_EVENT;
}

/* Marks a sender's port as invalid, with the true one in its low byte: the message is not from a peer. */
#define NOT_A_PEER 0x100u

/* gm_receive answers this event once more, as one that every program knows. */
static void make_plain(struct gm_port* port, const gm_recv_event_t* event) {
  struct lcp_event* slot = port->told;
  if (!slot) return;
  gm_memorize_message(event->recv.message, event->recv.buffer, event->recv.length);
  slot->fields.type = LCP_EVENT_RECEIVED;
  slot->fields.port |= NOT_A_PEER;
  port->told = NULL;
  port->next_event = (port->next_event + LCP_EVENT_SLOTS - 1) % LCP_EVENT_SLOTS;
  --port->receive_tokens; /* comes again, too */
  keep_stray(port, event->recv.buffer, slot->fields.buffer);
}

/* Not inlined: it is rare, and costs the usual events of gm_unknown nothing. */
static __attribute__((noinline)) void turn_or_drop(struct gm_port* port, const gm_recv_event_t* event) {
  const enum gm_recv_event_type type = GM_RECV_EVENT_TYPE(event);
  if (type > GM_RAW_RECV_EVENT) return; /* none of these is ever reported */
  if (type != GM_RECV_EVENT && type != GM_HIGH_RECV_EVENT && type != GM_RAW_RECV_EVENT)
    make_plain(port, event);
  else
    gm_provide_receive_buffer_with_tag(port, event->recv.buffer, event->recv.size, is_high(type), event->recv.tag);
}

void gm_unknown(struct gm_port* port, gm_recv_event_t* event) {
  switch (GM_RECV_EVENT_TYPE(event)) {
    case GM_NO_RECV_EVENT:
      break;
    case GM_SENT_TOKENS_EVENT:
      if (port->told) run_callbacks(port, port->told);
      break;
    case GM_ALARM_EVENT:
      gm_run_alarms(port);
      break;
    default:
      turn_or_drop(port, event);
  }
}

void gm_handle_sent_tokens(struct gm_port* port, gm_recv_event_t* event) { gm_unknown(port, event); }

void* gm_memorize_message(void* message, void* buffer, unsigned length) {
  if (message != buffer) {
    memcpy(buffer, message, length);
  }
  return buffer;
}
