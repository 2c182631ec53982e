/* Gets: a request in the requester's connection, and its answer, which is packets like a put's in a connection of the
 * other card's own, CARD_PORT. The requester gets an event when all of the answer is in its memory. */
#include "sw/gm/firmware/lcp/lcp_memory.h"

static const struct packet_get* request_in(const struct packet* packet) {
  return (const struct packet_get*)packet->payload;
}

/* ---- responder ---- */

enum verdict take_get(struct receiver* receiver, const struct packet* packet) {
  const struct packet_get* get = request_in(packet);
  const unsigned port = packet->header.target_subport / LCP_PRIORITIES;
  if (get->length > 0 && !is_registered(port, get->from, get->length)) return refuse(receiver, PACKET_NACK_REJECT);
  if (lcp()->answers == RECORDS) return refuse(receiver, PACKET_NACK_NO_TOKEN);
  ++lcp()->answers;
  /* After earlier puts, which may still be on their way to memory. */
  queue_rdma((struct rdma_job){
      .kind = RDMA_ANSWER, .port = (uint8_t)port, .buffer = (uint16_t)(packet - lcp()->receive_buffers)});
  return KEPT;
}

void answer(const struct packet* packet) {
  const struct packet_header* header = &packet->header;
  const struct packet_get* get = request_in(packet);
  const struct lcp_send_slot slot = {.address = get->from,
                                     .remote = get->to,
                                     .length = get->length,
                                     .node = (uint16_t)header->sender,
                                     .port = header->sender_subport / LCP_PRIORITIES,
                                     .priority = header->sender_subport % LCP_PRIORITIES,
                                     .handle = (uint8_t)header->size,
                                     .unused = header->get,
                                     .type = SEND_ANSWER};
  append(CARD_PORT, &slot);
}

/* ---- requester ---- */

void ask(struct port* port, uint16_t index) {
  struct record* record = &port->records[index];
  record->since = lanai_clock();
  record->next = port->asked;
  port->asked = index;
  want_timer(record->since + lcp()->shared.globals.no_buffer_ticks);
}

/* The link to it in the list of requested gets; null if its request has not been acknowledged yet. */
static uint16_t* asked(struct port* port, uint16_t index) {
  uint16_t* at = &port->asked;
  while (*at != NONE && *at != index) at = &port->records[*at].next;
  return *at == NONE ? NULL : at;
}

static void end(unsigned number, uint16_t* place, enum lcp_status status) {
  struct port* port = &lcp()->ports[number];
  const uint16_t index = *place;
  const struct record* record = &port->records[index];
  *place = record->next;
  complete(number, record->opened, record->what.handle, status);
  release_record(number, index);
}

enum verdict take_got(const struct packet* packet) {
  const struct packet_header* header = &packet->header;
  const unsigned number = header->target_subport / LCP_PRIORITIES;
  struct port* port = &lcp()->ports[number];
  struct record* record = &port->records[header->size % RECORDS];
  const uint64_t address = *(const uint64_t*)packet->payload;
  const uint32_t bytes = header->length - PACKET_PUT_BYTES;
  if (record->what.type != LCP_SEND_GET || record->get != header->get || record->opened != port->opened) return DONE;
  record->since = lanai_clock();
  if (bytes > 0) queue_payload(packet, number, PACKET_PUT_BYTES, address);
  if (address + bytes == record->what.address + record->what.length) {
    uint16_t* place = asked(port, (uint16_t)(record - port->records));
    if (place != NULL)
      end(number, place, LCP_OK);
    else
      record->is_over = 1;
  }
  return bytes > 0 ? KEPT : DONE;
}

/* The other card may have died after it had acknowledged. */
void look_at_gets(uint32_t now) {
  const uint32_t timeout = lcp()->shared.globals.no_buffer_ticks;
  for (unsigned number = 0; number < LCP_PORTS; ++number) {
    struct port* port = &lcp()->ports[number];
    for (uint16_t* place = &port->asked; *place != NONE;) {
      struct record* record = &port->records[*place];
      if (now - record->since >= timeout) {
        end(number, place, LCP_TIMED_OUT);
        continue;
      }
      want_timer(record->since + timeout);
      place = &record->next;
    }
  }
}
