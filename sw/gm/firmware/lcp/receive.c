/* Packets of the RECV machine: checks CRC, destination, sequence number and receive buffer.
 * Then it goes to the RDMA machine, and its connection owes an acknowledgement. */
#include <string.h>

#include "sw/gm/firmware/lcp/lcp_memory.h"

static void owe(struct receiver* receiver, enum packet_subtype answer) {
  struct lcp* self = lcp();
  receiver->answer = (uint8_t)answer;
  if (receiver->owes) return; /* the new acknowledgement includes the earlier one */
  const uint16_t index = (uint16_t)(receiver - self->receivers);
  receiver->owes = 1;
  receiver->next_ack = NONE;
  if (self->first_ack == NONE)
    self->first_ack = index;
  else
    self->receivers[self->last_ack].next_ack = index;
  self->last_ack = index;
}

int has_room(void) { return lcp()->job_count + 2 <= RDMA_JOBS && lcp()->free_event_count > 0; }

void queue_payload(const struct packet* packet, unsigned port, uint32_t skip, uint64_t host) {
  queue_rdma((struct rdma_job){.host = host,
                               .sram = lanai_address(packet->payload + skip),
                               .bytes = packet->header.length - skip,
                               .kind = RDMA_PAYLOAD,
                               .port = (uint8_t)port,
                               .buffer = (uint16_t)(packet - lcp()->receive_buffers)});
}

/* @param data_bytes  of the packet, that stand in the event itself */
static void tell_received(const struct packet* packet, uint64_t address, uint32_t length, uint32_t tag,
                          uint32_t data_bytes) {
  const struct packet_header* header = &packet->header;
  const uint16_t buffer = take_event_buffer();
  struct lcp_event* event = &lcp()->events[buffer];
  event->fields = (struct lcp_event_fields){.buffer = address,
                                            .length = length,
                                            .tag = tag,
                                            .node = (uint16_t)header->sender,
                                            .port = header->sender_subport / LCP_PRIORITIES,
                                            .size = (uint8_t)header->size,
                                            .priority = header->target_subport % LCP_PRIORITIES,
                                            .type = data_bytes > 0 ? LCP_EVENT_FAST_RECEIVED : LCP_EVENT_RECEIVED};
  lanai_cycles(data_bytes / 4); /* copied: a word a cycle */
  memcpy(event->data + LCP_EVENT_DATA - data_bytes, packet->payload, data_bytes);
  send_event(header->target_subport / LCP_PRIORITIES, buffer, data_bytes);
}

enum verdict deliver(const struct packet* packet, uint64_t buffer, uint32_t tag) {
  const struct packet_header* header = &packet->header;
  const int is_fast = header->length <= LCP_FAST_BYTES;
  if (!is_fast) queue_payload(packet, header->target_subport / LCP_PRIORITIES, 0, buffer);
  tell_received(packet, buffer, header->length, tag, is_fast ? header->length : 0);
  return is_fast ? DONE : KEPT;
}

enum verdict refuse(struct receiver* receiver, enum packet_subtype why) {
  owe(receiver, why);
  return REFUSED;
}

static enum verdict take_put(struct receiver* receiver, const struct packet* packet) {
  const unsigned port = packet->header.target_subport / LCP_PRIORITIES;
  const uint32_t bytes = packet->header.length - PACKET_PUT_BYTES;
  const uint64_t address = *(const uint64_t*)packet->payload;
  if (bytes == 0) return DONE;
  if (!is_registered(port, address, bytes)) return refuse(receiver, PACKET_NACK_REJECT);
  queue_payload(packet, port, PACKET_PUT_BYTES, address);
  return KEPT;
}

static enum verdict take_message(struct receiver* receiver, const struct packet* packet) {
  const struct packet_header* header = &packet->header;
  const unsigned port = header->target_subport / LCP_PRIORITIES;
  if (header->subtype == PACKET_DATA || header->subtype == PACKET_HEAD) {
    const struct token* token = match(port, header->target_subport % LCP_PRIORITIES, header->size);
    if (token == NULL) {
      ++lcp()->shared.statistics.no_buffer;
      return refuse(receiver, PACKET_NACK_NO_TOKEN);
    }
    receiver->address = token->address;
    receiver->tag = token->tag;
    receiver->size = (uint8_t)header->size;
    receiver->done = 0;
    receiver->in_message = 1;
    release_token(port, token);
  }
  if (header->subtype == PACKET_DATA) {
    receiver->in_message = 0;
    return deliver(packet, receiver->address, receiver->tag);
  }
  queue_payload(packet, port, 0, receiver->address + receiver->done);
  receiver->done += header->length;
  if (header->subtype == PACKET_TAIL) {
    tell_received(packet, receiver->address, receiver->done, receiver->tag, 0);
    receiver->in_message = 0;
  }
  return KEPT;
}

static enum verdict take_by_subtype(struct receiver* receiver, const struct packet* packet) {
  switch (packet->header.subtype) {
    case PACKET_PUT:
      return take_put(receiver, packet);
    case PACKET_GET:
      return take_get(receiver, packet);
    case PACKET_GOT:
      return take_got(packet);
    default:
      return take_message(receiver, packet);
  }
}

/* A new session: the partial message is dropped, and its buffer is reused. */
static void begin_session(struct receiver* receiver, const struct packet_header* header) {
  if (receiver->in_message)
    put_back(header->target_subport / LCP_PRIORITIES, header->target_subport % LCP_PRIORITIES, receiver->size,
             receiver->address, receiver->tag);
  receiver->session = header->session;
  receiver->expected = 0;
  receiver->in_message = receiver->gap_told = 0;
}

static enum verdict take_data(const struct packet* packet) {
  struct lcp_statistics* statistics = &lcp()->shared.statistics;
  const struct packet_header* header = &packet->header;
  struct receiver* receiver = receiver_of(header);
  if (receiver == NULL) return REFUSED; /* it retries, and reports an unreachable node in the end */
  const int16_t newer = (int16_t)(header->session - receiver->session);
  if (newer < 0) return REFUSED;
  if (newer > 0) begin_session(receiver, header);
  if (lcp()->ports[header->target_subport / LCP_PRIORITIES].opened % 2 == 0)
    return refuse(receiver, PACKET_NACK_CLOSED);
  const int16_t ahead = (int16_t)(header->sequence - (uint16_t)receiver->expected);
  if (ahead < 0) {
    ++statistics->duplicates;
    return refuse(receiver, PACKET_ACK);
  }
  if (ahead > 0) {
    ++statistics->out_of_order;
    if (receiver->gap_told) return REFUSED;
    receiver->gap_told = 1;
    return refuse(receiver, PACKET_NACK);
  }
  if (!has_room()) return REFUSED;
  const enum verdict verdict = take_by_subtype(receiver, packet);
  if (verdict == REFUSED) return REFUSED;
  ++receiver->expected;
  receiver->gap_told = 0;
  owe(receiver, PACKET_ACK);
  return verdict;
}

static enum verdict packet_take(const struct packet* packet, uint32_t bytes) {
  const struct packet_header* header = &packet->header;
  ++lcp()->shared.statistics.received;
  if (bytes < sizeof *header) return REFUSED;
  if (header->type == PACKET_MAPPING) {
    receive_mapping(packet, bytes);
    return DONE;
  }
  if (header->type != PACKET_GM || header->target != lcp()->shared.globals.node) {
    ++lcp()->shared.statistics.unknown;
    return REFUSED;
  }
  if (header->subtype >= PACKET_ACK) {
    acknowledged(header);
    return DONE;
  }
  if (bytes != sizeof *header + header->length) return REFUSED;
  return header->subtype == PACKET_DATAGRAM ? take_datagram(packet) : take_data(packet);
}

void receive_packet(void) {
  uint32_t bytes = 0;
  int intact = 0;
  const uint32_t at = lanai_received(&bytes, &intact);
  if (at == 0) return;
  struct packet* packet = lanai_sram(at);
  if (!intact) ++lcp()->shared.statistics.crc_errors;
  if (!intact || packet_take(packet, bytes) != KEPT) lanai_receive(at, sizeof *packet);
}
