/* Ports: the contents of processes' slots, receive tokens that wait for a message, and completed sends to be reported
 * to a process. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

static void complain(unsigned port, enum lcp_complaint_kind kind, uint64_t address, uint64_t bytes) {
  lcp()->shared.complaint = (struct lcp_complaint){.kind = kind, .port = port, .address = address, .bytes = bytes};
  lanai_interrupt_host(LCP_INT_COMPLAINT);
}

static int is_in(const struct lcp_region* region, uint64_t address, uint64_t bytes) {
  const uint64_t offset = address - region->first;
  return offset < region->bytes && bytes <= region->bytes - offset;
}

int is_registered(unsigned port, uint64_t address, uint64_t bytes) {
  const struct lcp_region* regions = lcp()->shared.ports[port].regions;
  uint8_t* last = &lcp()->ports[port].region;
  if (is_in(&regions[*last], address, bytes)) return 1;
  for (uint8_t i = 0; i < LCP_REGIONS; ++i) {
    if (!is_in(&regions[i], address, bytes)) continue;
    *last = i;
    return 1;
  }
  return 0;
}

/* ---- receive tokens ---- */

static void begin(unsigned number) {
  struct port* port = &lcp()->ports[number];
  port->opened = lcp()->shared.ports[number].opened;
  port->next_send = port->next_receive = port->next_event = 0;
  port->done_count = 0;
  port->alarm_at = 0;
  port->free_token = 0;
  for (unsigned i = 0; i < LCP_RECEIVE_SLOTS; ++i)
    port->tokens[i].next = i + 1 < LCP_RECEIVE_SLOTS ? (uint16_t)(i + 1) : NONE;
  for (unsigned priority = 0; priority < LCP_PRIORITIES; ++priority)
    for (unsigned size = 0; size < LCP_SIZES; ++size) port->waiting[priority][size] = NONE;
}

/* A token for a buffer, before or behind the others of its kind. */
static void wait_for_message(struct port* port, unsigned priority, unsigned size, struct token token, int first) {
  const uint16_t index = port->free_token;
  if (index == NONE) return;
  port->free_token = port->tokens[index].next;
  uint16_t* head = &port->waiting[priority][size];
  token.next = first ? *head : NONE;
  port->tokens[index] = token;
  if (*head != NONE && !first) port->tokens[port->last_waiting[priority][size]].next = index;
  if (*head == NONE || !first) port->last_waiting[priority][size] = index;
  if (*head == NONE || first) *head = index;
}

void put_back(unsigned number, unsigned priority, unsigned size, uint64_t address, uint32_t tag) {
  wait_for_message(&lcp()->ports[number], priority, size, (struct token){.address = address, .tag = tag}, 1);
}

static void take_receive(unsigned number, struct lcp_receive_slot* slot) {
  struct port* port = &lcp()->ports[number];
  const unsigned priority = slot->priority % LCP_PRIORITIES, size = slot->size % LCP_SIZES;
  if (!is_registered(number, slot->address, size < 3 ? 0 : (1u << size) - 8)) {
    complain(number, LCP_COMPLAINT_MEMORY, slot->address, (1u << size) - 8);
    return;
  }
  wait_for_message(port, priority, size, (struct token){.address = slot->address, .tag = slot->tag}, 0);
}

struct token* match(unsigned number, unsigned priority, unsigned size) {
  struct port* port = &lcp()->ports[number];
  const uint16_t index = port->waiting[priority][size % LCP_SIZES];
  if (index == NONE) return NULL;
  port->waiting[priority][size % LCP_SIZES] = port->tokens[index].next;
  return &port->tokens[index];
}

void release_token(unsigned number, const struct token* token) {
  struct port* port = &lcp()->ports[number];
  const uint16_t index = (uint16_t)(token - port->tokens);
  port->tokens[index].next = port->free_token;
  port->free_token = index;
}

/* ---- sends ---- */

uint16_t take_record(unsigned number, const struct lcp_send_slot* slot) {
  struct port* port = &lcp()->ports[number];
  const uint16_t record = port->free_record;
  if (record == NONE) return NONE;
  port->free_record = port->records[record].next;
  const int one = slot->length == 0 || slot->type == LCP_SEND_GET;
  port->records[record] = (struct record){.what = *slot,
                                          .packets = one ? 1 : (slot->length + LCP_MTU - 1) / LCP_MTU,
                                          .opened = port->opened,
                                          .next = NONE,
                                          .port = (uint16_t)number};
  if (slot->type == LCP_SEND_GET) port->records[record].get = ++port->gets;
  if (slot->type == SEND_ANSWER) port->records[record].get = slot->unused;
  return record;
}

void release_record(unsigned number, uint16_t record) {
  struct port* port = &lcp()->ports[number];
  port->records[record].what.type = LCP_SEND_NONE;
  port->records[record].next = port->free_record;
  port->free_record = record;
}

void append(unsigned number, const struct lcp_send_slot* slot) {
  struct lcp* self = lcp();
  struct port* port = &self->ports[number];
  const uint16_t index = sender_of(slot->node, number, slot->port, slot->priority);
  const uint16_t record = index == NONE ? NONE : take_record(number, slot);
  if (record == NONE) return complete(number, port->opened, slot->handle, LCP_UNREACHABLE);
  struct sender* sender = &self->senders[index];
  port->records[record].first = sender->end;
  if (sender->head == NONE)
    sender->head = record;
  else
    port->records[sender->tail].next = record;
  sender->tail = record;
  if (sender->at == NONE) sender->at = record;
  sender->end += port->records[record].packets;
  serve(index);
}

static void take_send(unsigned number, const struct lcp_send_slot* slot) {
  struct port* port = &lcp()->ports[number];
  if (slot->type == LCP_SEND_ALARM) {
    port->alarm_at = slot->length == 0 ? 0 : lanai_clock() + slot->length;
    if (port->alarm_at != 0) want_timer(port->alarm_at);
    return;
  }
  if (slot->type == LCP_SEND_RAW) return take_raw(number, slot);
  if (slot->node >= lcp()->shared.globals.nodes || slot->port >= LCP_PORTS || slot->priority >= LCP_PRIORITIES)
    return complain(number, LCP_COMPLAINT_NODE, slot->node, slot->port);
  if (slot->type == LCP_SEND_RESUME || slot->type == LCP_SEND_DROP) {
    const uint16_t index = sender_of(slot->node, number, slot->port, slot->priority);
    if (index != NONE) resume(index, slot->type == LCP_SEND_DROP);
    return complete(number, port->opened, slot->handle, LCP_OK);
  }
  if (slot->length > 0 && !is_registered(number, slot->address, slot->length))
    return complain(number, LCP_COMPLAINT_MEMORY, slot->address, slot->length);
  if (slot->type == LCP_SEND_DATAGRAM)
    queue_datagram(number, slot);
  else
    append(number, slot);
}

static void find_open_ports(void) {
  struct lcp* self = lcp();
  self->openings = self->shared.openings;
  self->open_count = 0;
  for (unsigned number = 0; number < LCP_PORTS; ++number) {
    struct port* port = &self->ports[number];
    if (self->shared.ports[number].opened != port->opened) begin(number);
    if (port->opened % 2 == 1) self->open_ports[self->open_count++] = (uint8_t)number;
  }
}

void poll_ports(void) {
  struct lcp* self = lcp();
  if (self->openings != self->shared.openings) find_open_ports();
  for (unsigned i = 0; i < self->open_count; ++i) {
    const unsigned number = self->open_ports[i];
    struct lcp_port* shared = &self->shared.ports[number];
    struct port* port = &self->ports[number];
    for (struct lcp_receive_slot* slot; (slot = &shared->receive[port->next_receive])->ready != 0; slot->ready = 0) {
      port->next_receive = (uint16_t)((port->next_receive + 1) % LCP_RECEIVE_SLOTS);
      take_receive(number, slot);
    }
    for (struct lcp_send_slot* slot; (slot = &shared->send[port->next_send])->type != LCP_SEND_NONE;
         slot->type = LCP_SEND_NONE) {
      port->next_send = (uint16_t)((port->next_send + 1) % LCP_SEND_SLOTS);
      take_send(number, slot);
    }
  }
}

/* ---- events to processes ---- */

void complete(unsigned number, uint32_t opened, uint8_t handle, enum lcp_status status) {
  struct port* port = &lcp()->ports[number];
  if (number == CARD_PORT) {
    --lcp()->answers;
    return;
  }
  if (opened != port->opened) return; /* it was another process */
  port->done[port->done_count][0] = handle;
  port->done[port->done_count++][1] = (uint8_t)status;
  tell_done(number);
}

/* One such event at a time: sends that complete meanwhile go with the next. */
void tell_done(unsigned number) {
  struct port* port = &lcp()->ports[number];
  if (port->telling || port->done_count == 0 || port->opened % 2 == 0) return;
  const uint16_t buffer = lcp()->job_count == RDMA_JOBS ? NONE : take_event_buffer();
  if (buffer == NONE) {
    lcp()->untold |= 1u << number;
    return;
  }
  struct lcp_event* event = &lcp()->events[buffer];
  event->fields = (struct lcp_event_fields){.count = port->done_count, .type = LCP_EVENT_SENT};
  const uint32_t bytes = 2u * port->done_count;
  for (uint32_t i = 0; i < bytes; ++i) event->data[LCP_EVENT_DATA - bytes + i] = port->done[i / 2][i % 2];
  port->telling = 1;
  port->done_count = 0;
  send_event(number, buffer, bytes);
}

void alarms(uint32_t now) {
  for (unsigned number = 0; number < LCP_PORTS; ++number) {
    struct port* port = &lcp()->ports[number];
    if (port->opened % 2 == 0 || port->alarm_at == 0) continue;
    const uint16_t buffer = (int32_t)(now - port->alarm_at) >= 0 ? take_event_buffer() : NONE;
    if (buffer == NONE) {
      want_timer((int32_t)(now - port->alarm_at) >= 0 ? now + 1 : port->alarm_at);
      continue;
    }
    lcp()->events[buffer].fields = (struct lcp_event_fields){.type = LCP_EVENT_ALARM};
    port->alarm_at = 0;
    send_event(number, buffer, 0);
  }
}
