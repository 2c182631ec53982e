/* Datagrams: messages of one packet outside all connections. They are sent once, without an acknowledgement. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

void queue_datagram(unsigned number, const struct lcp_send_slot* slot) {
  struct lcp* self = lcp();
  const uint16_t record = take_record(number, slot);
  if (record == NONE) return complete(number, self->ports[number].opened, slot->handle, LCP_UNREACHABLE);
  const uint32_t last = (self->datagram_first + self->datagram_count++) % DATAGRAMS;
  self->datagrams[last].port = (uint16_t)number;
  self->datagrams[last].record = record;
}

static void end(unsigned number, uint16_t index, enum lcp_status status) {
  const struct record* record = &lcp()->ports[number].records[index];
  complete(number, record->opened, record->what.handle, status);
  release_record(number, index);
}

int prepare_datagram(struct send_buffer* buffer) {
  struct lcp* self = lcp();
  if (self->datagram_count == 0) return 0;
  const uint16_t number = self->datagrams[self->datagram_first].port;
  const uint16_t index = self->datagrams[self->datagram_first].record;
  self->datagram_first = (self->datagram_first + 1) % DATAGRAMS;
  --self->datagram_count;
  const struct lcp_send_slot* what = &self->ports[number].records[index].what;
  buffer->route = lanai_select_route(what->node, what->length);
  if (buffer->route == 0) {
    end(number, index, LCP_UNREACHABLE);
    return 1;
  }
  buffer->port = number;
  buffer->datagram = index;
  buffer->packet.header = (struct packet_header){.type = PACKET_GM,
                                                 .subtype = PACKET_DATAGRAM,
                                                 .target = what->node,
                                                 .length = (uint16_t)what->length,
                                                 .target_subport = (uint8_t)subport(what->port, what->priority),
                                                 .sender_subport = (uint8_t)subport(number, what->priority),
                                                 .sender = self->shared.globals.node,
                                                 .size = what->size};
  fetch(buffer, what->address, 0, what->length);
  return 1;
}

void datagram_left(struct send_buffer* buffer) {
  if (buffer->datagram != NONE) end(buffer->port, buffer->datagram, LCP_OK);
}

enum verdict take_datagram(const struct packet* packet) {
  const struct packet_header* header = &packet->header;
  const unsigned port = header->target_subport / LCP_PRIORITIES;
  const int is_open = port < LCP_PORTS && lcp()->ports[port].opened % 2 == 1;
  const struct token* token =
      is_open && has_room() ? match(port, header->target_subport % LCP_PRIORITIES, header->size) : NULL;
  if (token == NULL) {
    ++lcp()->shared.statistics.datagrams_lost;
    return REFUSED;
  }
  const uint64_t buffer = token->address;
  const uint32_t tag = token->tag;
  release_token(port, token);
  return deliver(packet, buffer, tag);
}
