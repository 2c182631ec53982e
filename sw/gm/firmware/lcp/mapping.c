/* Mapping packets: those of this host's mapper go out as they are; those of others are answered here. */
#include "sw/gm/mapping.h"

#include <string.h>

#include "sw/gm/firmware/lcp/lcp_memory.h"

static struct raw* new_raw(void) {
  struct lcp* self = lcp();
  return self->raw_end - self->raw_leave == RAW_PACKETS ? NULL : &self->raws[self->raw_end++ % RAW_PACKETS];
}

/* ---- of this host's mapper ---- */

void take_raw(unsigned port, const struct lcp_send_slot* slot) {
  struct raw* raw = port == MAPPING_PORT && slot->length <= sizeof raw->route + sizeof raw->packet ? new_raw() : NULL;
  if (raw == NULL) return complete(port, lcp()->ports[port].opened, slot->handle, LCP_REJECTED);
  raw->address = slot->address;
  raw->bytes = slot->length;
  raw->opened = lcp()->ports[port].opened;
  raw->port = (uint8_t)port;
  raw->handle = slot->handle;
  raw->from_host = 1;
  raw->state = RAW_WANTED;
}

int raw_sdma(void) {
  struct lcp* self = lcp();
  for (; self->raw_fetch != self->raw_end; ++self->raw_fetch) {
    struct raw* raw = &self->raws[self->raw_fetch % RAW_PACKETS];
    if (raw->state != RAW_WANTED) continue; /* a reply of this program */
    raw->state = RAW_FETCHING;
    self->sdma_busy = BUSY_FETCHING_RAW;
    lanai_sdma(raw->address, lanai_address(&raw->route), raw->bytes);
    return 1;
  }
  return 0;
}

void raw_filled(void) {
  struct raw* raw = &lcp()->raws[lcp()->raw_fetch++ % RAW_PACKETS];
  raw->bytes -= (uint32_t)sizeof raw->route;
  raw->state = RAW_READY;
}

int send_reply(void) {
  struct lcp* self = lcp();
  if (self->raw_leave == self->raw_end) return 0;
  struct raw* raw = &self->raws[self->raw_leave % RAW_PACKETS];
  if (raw->state != RAW_READY) return 0;
  ++self->raw_leave;
  if (raw->from_host) complete(raw->port, raw->opened, raw->handle, LCP_OK);
  if (raw->route.length == 0 || raw->route.length > LANAI_ROUTE_BYTES) return 1;
  self->sending = BUSY_RAW;
  lanai_send(lanai_address(&raw->route), lanai_address(&raw->packet), raw->bytes);
  return 1;
}

/* ---- of other nodes' mappers ---- */

static void reply(const struct mapping_scout* scout) {
  struct raw* raw = new_raw();
  if (raw == NULL) return; /* it asks again */
  const struct mapping_reply answer = {.cookie = scout->cookie, .node = lcp()->shared.globals.node};
  raw->route = scout->back;
  raw->packet.header = (struct packet_header){
      .type = PACKET_MAPPING, .subtype = MAPPING_REPLY, .length = sizeof answer, .sender = lcp()->shared.globals.node};
  memcpy(raw->packet.payload, &answer, sizeof answer);
  raw->bytes = (uint32_t)(sizeof raw->packet.header + sizeof answer);
  raw->from_host = 0;
  raw->state = RAW_READY;
}

static void store_routes(const struct mapping_scout* scout, uint32_t bytes) {
  const uint32_t each = LANAI_ROUTES * sizeof(struct lanai_route), size = scout->count * each;
  if (scout->count > MAPPING_NODES || scout->first + scout->count > LCP_MOST_NODES || sizeof *scout + size > bytes)
    return;
  lanai_cycles(size / 4); /* copied: a word a cycle */
  memcpy(&lcp()->shared.routes[scout->first * LANAI_ROUTES], scout + 1, size);
}

static void tell_mapper(const struct mapping_reply* answer) {
  const uint16_t buffer =
      lcp()->ports[MAPPING_PORT].opened % 2 == 1 && lcp()->job_count < RDMA_JOBS ? take_event_buffer() : NONE;
  if (buffer == NONE) return;
  struct lcp_event* event = &lcp()->events[buffer];
  event->fields = (struct lcp_event_fields){.length = sizeof *answer, .type = LCP_EVENT_RAW_RECEIVED};
  memcpy(event->data + LCP_EVENT_DATA - sizeof *answer, answer, sizeof *answer);
  send_event(MAPPING_PORT, buffer, sizeof *answer);
}

void receive_mapping(const struct packet* packet, uint32_t bytes) {
  const uint32_t own = lcp()->shared.globals.node, payload = bytes - (uint32_t)sizeof packet->header;
  if (packet->header.subtype == MAPPING_REPLY && payload == sizeof(struct mapping_reply))
    return tell_mapper((const struct mapping_reply*)packet->payload);
  const struct mapping_scout* scout = (const struct mapping_scout*)packet->payload;
  if (payload < sizeof *scout) return;
  if (packet->header.sender == own) {
    const struct mapping_reply answer = {.cookie = scout->cookie, .node = own};
    return tell_mapper(&answer);
  }
  if (packet->header.subtype == MAPPING_ROUTES) store_routes(scout, payload);
  reply(scout);
}
