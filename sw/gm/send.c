/* Sends: a slot in SRAM each, written in one burst whose last word makes it valid. */
#include <stddef.h>
#include <stdio.h>

#include "sw/gm/port.h"
#include "sw/hal/hal.h"

void gm_store_send(struct gm_port* port, struct lcp_send_slot slot) {
  hal_write_block(port->slots + offsetof(struct lcp_port, send) + port->next_send * sizeof slot, &slot, sizeof slot);
  port->next_send = (port->next_send + 1) % LCP_SEND_SLOTS;
}

static void post(struct gm_port* port, struct lcp_send_slot slot, unsigned node, gm_send_completion_callback_t callback,
                 void* context) {
  if (port->send_tokens == 0)
    hal_abort("GM: a send without a send token; wait for callbacks, or ask gm_send_token_available");
  if (node == GM_NO_SUCH_NODE_ID || node > port->nodes) {
    char text[96];
    snprintf(text, sizeof text, "GM: a send to node id %u; ids go from 1 to %u", node, port->nodes);
    hal_abort(text);
  }
  const int handle = port->free_send;
  port->free_send = port->sends[handle].next_free;
  port->sends[handle].callback = callback;
  port->sends[handle].context = context;
  --port->send_tokens;
  slot.node = (uint16_t)(node - 1);
  slot.handle = (uint8_t)handle;
  gm_store_send(port, slot);
}

static struct lcp_send_slot message_slot(enum lcp_send_type type, const void* message, unsigned size, gm_size_t length,
                                         unsigned priority, unsigned target_port) {
  return (struct lcp_send_slot){.address = length > 0 ? hal_bus_address(message) : 0,
                                .length = (uint32_t)length,
                                .port = (uint8_t)target_port,
                                .size = (uint8_t)size,
                                .priority = (uint8_t)priority,
                                .type = type};
}

void gm_send_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                           unsigned priority, unsigned node, unsigned target_port,
                           gm_send_completion_callback_t callback, void* context) {
  if (length > gm_max_length_for_size(size))
    hal_abort("gm_send_with_callback: the message is longer than its size class");
  post(port, message_slot(LCP_SEND_MESSAGE, message, size, length, priority, target_port), node, callback, context);
}

void gm_send_to_peer_with_callback(struct gm_port* port, const void* message, unsigned size, gm_size_t length,
                                   unsigned priority, unsigned node, gm_send_completion_callback_t callback,
                                   void* context) {
  gm_send_with_callback(port, message, size, length, priority, node, port->number, callback, context);
}

/* From local to remote memory, or back. */
static void direct(struct gm_port* port, enum lcp_send_type type, const void* here, gm_remote_ptr_t there,
                   gm_size_t length, unsigned priority, unsigned node, unsigned target_port,
                   gm_send_completion_callback_t callback, void* context) {
  if (length > UINT32_MAX) hal_abort("GM: a put or get of more than 4 GiB at once");
  post(port,
       (struct lcp_send_slot){.address = length > 0 ? hal_bus_address(here) : 0,
                              .remote = there,
                              .length = (uint32_t)length,
                              .port = (uint8_t)target_port,
                              .priority = (uint8_t)priority,
                              .type = type},
       node, callback, context);
}

void gm_put(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length, unsigned priority,
            unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context) {
  direct(port, LCP_SEND_PUT, source, target, length, priority, node, target_port, callback, context);
}

void gm_directed_send_with_callback(struct gm_port* port, const void* source, gm_remote_ptr_t target, gm_size_t length,
                                    unsigned priority, unsigned node, unsigned target_port,
                                    gm_send_completion_callback_t callback, void* context) {
  gm_put(port, source, target, length, priority, node, target_port, callback, context);
}

void gm_get(struct gm_port* port, gm_remote_ptr_t source, void* target, gm_size_t length, unsigned priority,
            unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context) {
  direct(port, LCP_SEND_GET, target, source, length, priority, node, target_port, callback, context);
}

void gm_datagram_send(struct gm_port* port, const void* message, unsigned size, gm_size_t length, unsigned priority,
                      unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context) {
  if (length > LCP_MTU || length > gm_max_length_for_size(size))
    hal_abort("gm_datagram_send: the message is longer than GM_MTU or its size class");
  post(port, message_slot(LCP_SEND_DATAGRAM, message, size, length, priority, target_port), node, callback, context);
}

void gm_datagram_send_4(struct gm_port* port, gm_u32_t message, unsigned size, gm_size_t length, unsigned priority,
                        unsigned node, unsigned target_port, gm_send_completion_callback_t callback, void* context) {
  /* The card reads only memory: each send of the port has 4 bytes of its own. */
  if (length > sizeof message) hal_abort("gm_datagram_send_4: the message is of at most 4 bytes");
  if (!port->words) port->words = gm_dma_malloc(port, LCP_SEND_SLOTS * sizeof *port->words);
  if (!port->words) hal_abort("gm_datagram_send_4: no memory for messages");
  gm_u32_t* word = port->send_tokens == 0 ? port->words : &port->words[port->free_send];
  *word = message;
  gm_datagram_send(port, word, size, length, priority, node, target_port, callback, context);
}

void gm_raw_send_with_callback(struct gm_port* port, const void* route_and_packet, gm_size_t length,
                               gm_send_completion_callback_t callback, void* context) {
  post(port,
       (struct lcp_send_slot){
           .address = hal_bus_address(route_and_packet), .length = (uint32_t)length, .type = LCP_SEND_RAW},
       port->node + 1, callback, context);
}

static void restart(struct gm_port* port, enum lcp_send_type type, unsigned priority, unsigned node,
                    unsigned target_port, gm_send_completion_callback_t callback, void* context) {
  post(port, (struct lcp_send_slot){.port = (uint8_t)target_port, .priority = (uint8_t)priority, .type = type}, node,
       callback, context);
}

void gm_resume_sending(struct gm_port* port, unsigned priority, unsigned node, unsigned target_port,
                       gm_send_completion_callback_t callback, void* context) {
  restart(port, LCP_SEND_RESUME, priority, node, target_port, callback, context);
}

void gm_drop_sends(struct gm_port* port, unsigned priority, unsigned node, unsigned target_port,
                   gm_send_completion_callback_t callback, void* context) {
  restart(port, LCP_SEND_DROP, priority, node, target_port, callback, context);
}
