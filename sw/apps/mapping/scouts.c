/* Scouts in rounds: several go out, then their answers are waited for. */
#include <string.h>

#include "sw/apps/mapping/map.h"
#include "sw/hal/hal.h"

#define PATIENCE_PS 100000000u /* since the last answer (A): the longest way and both cards need a tenth of that */
#define ROUND_SHIFT 6
#define UNDER_WAY_MOST 8u /* the card takes 16 raw packets at a time, replies among them */

static void ended(struct gm_port* port, void* context, gm_status_t status) {
  struct mapper* mapper = context;
  (void)port;
  --mapper->under_way;
  if (status != GM_SUCCESS) hal_abort("gm_mapper: the card refuses mapping packets");
}

void scouts_open(struct mapper* mapper) {
  unsigned id = 0;
  if (gm_open(&mapper->port, 0, MAPPING_PORT, "mapper", GM_API_VERSION) != GM_SUCCESS)
    hal_abort("gm_mapper: another mapper is at work on this node");
  gm_get_node_id(mapper->port, &id);
  mapper->node = id - 1;
  mapper->packets = gm_dma_calloc(mapper->port, SCOUTS, sizeof *mapper->packets);
  if (!mapper->packets) hal_abort("gm_mapper: there is no memory");
}

void scouts_begin(struct mapper* mapper) {
  ++mapper->round;
  mapper->asked = mapper->answered = 0;
  for (unsigned i = 0; i < SCOUTS; ++i) mapper->answers[i] = MAP_NONE;
}

static void serve(struct mapper* mapper) {
  gm_recv_event_t* event = gm_receive(mapper->port);
  if (GM_RECV_EVENT_TYPE(event) != GM_RAW_RECV_EVENT) {
    gm_unknown(mapper->port, event);
    return;
  }
  const struct mapping_reply* reply = event->recv.message;
  const uint32_t index = reply->cookie & ((1u << ROUND_SHIFT) - 1);
  if (reply->cookie >> ROUND_SHIFT != mapper->round || mapper->answers[index] != MAP_NONE) return;
  mapper->answers[index] = reply->node;
  ++mapper->answered;
}

/* Returns 0 if nothing has arrived until then. */
static int serve_next(struct mapper* mapper, uint64_t until_ps) {
  uint32_t seen = 0;
  const volatile uint32_t* word = gm_event_word(mapper->port, &seen);
  if (!hal_wait_word(word, seen, until_ps)) return 0;
  serve(mapper);
  return 1;
}

static struct lanai_route route_of(const struct way* way) {
  struct lanai_route route = {.length = (uint8_t)way->length};
  for (unsigned i = 0; i < way->length; ++i) route.bytes[i] = (uint8_t)(LANAI_ROUTE_PORT | way->ports[i]);
  return route;
}

void scouts_send(struct mapper* mapper, unsigned index, const struct way* there, const struct way* back,
                 enum mapping_subtype subtype, const struct mapping_scout* body, size_t bytes) {
  struct raw_packet* packet = &mapper->packets[index];
  struct mapping_scout scout = {0};
  if (body)
    scout = *body;
  else
    bytes = sizeof scout;
  scout.back = route_of(back);
  scout.cookie = mapper->round << ROUND_SHIFT | index;
  packet->route = route_of(there);
  packet->packet.header = (struct packet_header){
      .type = PACKET_MAPPING, .subtype = (uint16_t)subtype, .sender = mapper->node, .length = (uint16_t)bytes};
  if (body) memcpy(packet->packet.payload, body, bytes);
  memcpy(packet->packet.payload, &scout, sizeof scout);
  hal_memory_copied(bytes);
  /* The card takes some raw packets at a time. */
  while (mapper->under_way >= UNDER_WAY_MOST) serve_next(mapper, UINT64_MAX);
  ++mapper->asked;
  ++mapper->under_way;
  gm_raw_send_with_callback(mapper->port, packet, sizeof packet->route + sizeof packet->packet.header + bytes, ended,
                            mapper);
}

void scouts_wait(struct mapper* mapper) {
  uint64_t until = hal_time_ps() + PATIENCE_PS;
  while (mapper->answered < mapper->asked || mapper->under_way > 0) {
    const unsigned before = mapper->answered;
    if (!serve_next(mapper, until)) return;
    if (mapper->answered != before) until = hal_time_ps() + PATIENCE_PS;
  }
}

uint32_t scouts_answer(const struct mapper* mapper, unsigned index) { return mapper->answers[index]; }
