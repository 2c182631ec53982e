/* The SDMA machine, which fills packets from the host's memory, and the SEND machine, which puts them on the wire.
 * Connections take turns, a packet each; answers go first. */
#include <string.h>

#include "sw/gm/firmware/lcp/lcp_memory.h"

static uint16_t next_ready(void) {
  struct lcp* self = lcp();
  if (self->ready_count == 0) return NONE;
  const uint16_t index = self->ready[self->ready_first % CONNECTIONS];
  self->ready_first = (self->ready_first + 1) % CONNECTIONS;
  --self->ready_count;
  self->senders[index].ready = 0;
  return index;
}

static void watch(uint16_t index, uint32_t now) {
  struct lcp* self = lcp();
  struct sender* sender = &self->senders[index];
  if (sender->sent == sender->acked) {
    if (!sender->unheard) sender->heard_at = now;
    if (!sender->back_off) sender->progress_at = now; /* else the time includes a wait for a buffer */
    await_answer(sender, now);
  }
  want_timer(sender->resend_at);
  if (sender->watched) return;
  sender->watched = 1;
  sender->next_watched = self->watched;
  self->watched = index;
}

static enum packet_subtype subtype_of(const struct record* record, uint32_t number) {
  if (record->what.type == LCP_SEND_PUT) return PACKET_PUT;
  if (record->what.type == LCP_SEND_GET) return PACKET_GET;
  if (record->what.type == SEND_ANSWER) return PACKET_GOT;
  if (record->packets == 1) return PACKET_DATA;
  return number == 0 ? PACKET_HEAD : number + 1 == record->packets ? PACKET_TAIL : PACKET_BODY;
}

void fetch(struct send_buffer* buffer, uint64_t host, uint32_t before, uint32_t bytes) {
  struct lcp* self = lcp();
  buffer->bytes = (uint32_t)sizeof buffer->packet.header + before + bytes;
  ++self->shared.statistics.sent;
  buffer->state = bytes > 0 ? BUFFER_FILLING : BUFFER_READY;
  ++self->fill;
  if (bytes == 0) return;
  self->sdma_busy = BUSY_PACKET;
  lanai_sdma(host, lanai_address(buffer->packet.payload + before), bytes);
}

/* A packet's bytes before those that SDMA brings. */
static uint32_t begin_payload(const struct record* record, uint32_t offset, struct packet* packet) {
  const uint64_t there = record->what.remote;
  const struct packet_get get = {.from = there, .to = record->what.address, .length = record->what.length};
  switch (record->what.type) {
    case LCP_SEND_PUT:
    case SEND_ANSWER:
      *(uint64_t*)packet->payload = there + offset;
      return PACKET_PUT_BYTES;
    case LCP_SEND_GET:
      packet->header.size = (uint16_t)(record - lcp()->ports[record->port].records);
      memcpy(packet->payload, &get, sizeof get);
      return sizeof get;
    default:
      return 0;
  }
}

static void fill(const struct sender* sender, const struct record* record, uint32_t number,
                 struct send_buffer* buffer) {
  struct lcp* self = lcp();
  const uint32_t target = (sender->key - 1) % (LCP_PORTS * LCP_PRIORITIES);
  const uint32_t offset = number * LCP_MTU, left = record->what.length - offset;
  const uint32_t bytes = record->what.type == LCP_SEND_GET ? 0 : left < LCP_MTU ? left : LCP_MTU;
  const uint16_t size = record->what.type == SEND_ANSWER ? record->what.handle : record->what.size;
  buffer->packet.header =
      (struct packet_header){.type = PACKET_GM,
                             .subtype = (uint16_t)subtype_of(record, number),
                             .target = record->what.node,
                             .session = sender->session,
                             .sequence = (uint16_t)sender->sent,
                             .target_subport = (uint8_t)target,
                             .sender_subport = (uint8_t)subport(record->port, target % LCP_PRIORITIES),
                             .sender = self->shared.globals.node,
                             .size = size,
                             .get = record->get};
  const uint32_t before = begin_payload(record, offset, &buffer->packet);
  buffer->packet.header.length = (uint16_t)(before + bytes);
  fetch(buffer, record->what.address + offset, before, bytes);
}

/* The next packet of a connection, into a buffer. Returns 0 if it cannot be sent now: an acknowledgement or the
 * timer will have it served again. */
static int prepare(uint16_t index, struct send_buffer* buffer) {
  struct lcp* self = lcp();
  struct sender* sender = &self->senders[index];
  if (sender->stopped || sender->not_before || sender->at == NONE) return 0;
  const uint32_t connection = (sender->key - 1) / (LCP_PORTS * LCP_PRIORITIES);
  const uint32_t port = connection % LCP_PORTS, node = connection / LCP_PORTS;
  struct record* record = &self->ports[port].records[sender->at];
  const uint32_t number = sender->sent - record->first;

  if (number == 0 && (record->route == 0 || sender->sent == sender->acked))
    record->route = lanai_select_route(node, record->what.length);
  /* On two routes a packet might overtake the previous one: first wait until the packets under way have arrived. */
  if (record->route != sender->route && sender->sent != sender->acked) return 0;
  if (record->route == 0) {
    stop(sender, LCP_UNREACHABLE);
    return 0;
  }
  sender->route = record->route;
  watch(index, lanai_clock());

  buffer->route = record->route;
  buffer->datagram = NONE;
  fill(sender, record, number, buffer);
  ++sender->sent;
  if (number + 1 == record->packets) sender->at = record->next;
  return 1;
}

void start_sdma(void) {
  struct lcp* self = lcp();
  while (!self->sdma_busy && !raw_sdma()) {
    struct send_buffer* buffer = &self->send_buffers[self->fill % SEND_BUFFERS];
    if (buffer->state != BUFFER_FREE) return;
    /* Datagrams and connections take turns. */
    if ((self->fill % 2 == 0 || self->ready_count == 0) && prepare_datagram(buffer)) continue;
    const uint16_t index = next_ready();
    if (index == NONE) return;
    if (prepare(index, buffer)) serve(index);
  }
}

void sdma_done(void) {
  struct lcp* self = lcp();
  const uint32_t was = self->sdma_busy;
  self->sdma_busy = BUSY_NOT;
  if (was == BUSY_FETCHING_RAW)
    raw_filled();
  else
    self->send_buffers[(self->fill - 1) % SEND_BUFFERS].state = BUFFER_READY;
}

static int send_answer(void) {
  struct lcp* self = lcp();
  if (self->first_ack == NONE) return 0;
  struct receiver* receiver = &self->receivers[self->first_ack];
  self->first_ack = receiver->next_ack;
  receiver->owes = 0;
  const uint32_t connection = (receiver->key - 1) / (LCP_PORTS * LCP_PRIORITIES);
  const uint32_t own = (receiver->key - 1) % (LCP_PORTS * LCP_PRIORITIES);
  const uint32_t node = connection / LCP_PORTS;
  self->answer.header =
      (struct packet_header){.type = PACKET_GM,
                             .subtype = receiver->answer,
                             .target = node,
                             .session = receiver->session,
                             .sequence = (uint16_t)receiver->expected,
                             .target_subport = (uint8_t)subport(connection % LCP_PORTS, own % LCP_PRIORITIES),
                             .sender_subport = (uint8_t)own,
                             .sender = self->shared.globals.node};
  if (receiver->answer == PACKET_ACK)
    ++self->shared.statistics.acks;
  else
    ++self->shared.statistics.nacks;
  const uint32_t route = lanai_select_route(node, sizeof self->answer.header);
  if (route == 0) return 1;
  self->sending = BUSY_ANSWER;
  lanai_send(route, lanai_address(&self->answer), sizeof self->answer.header);
  return 1;
}

void start_send(void) {
  struct lcp* self = lcp();
  while (!self->sending && (send_answer() || send_reply())) continue;
  struct send_buffer* buffer = &self->send_buffers[self->leave % SEND_BUFFERS];
  if (self->sending || buffer->state != BUFFER_READY) return;
  buffer->state = BUFFER_LEAVING;
  self->sending = BUSY_PACKET;
  lanai_send(buffer->route, lanai_address(&buffer->packet), buffer->bytes);
}

void send_done(void) {
  struct lcp* self = lcp();
  const uint32_t was = self->sending;
  self->sending = BUSY_NOT;
  if (was != BUSY_PACKET) return;
  struct send_buffer* buffer = &self->send_buffers[self->leave++ % SEND_BUFFERS];
  buffer->state = BUFFER_FREE;
  datagram_left(buffer);
}
