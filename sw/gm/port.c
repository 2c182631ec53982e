/* Ports, their tokens, size classes, and the reach of other ports. */
#include "sw/gm/port.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

gm_status_t gm_init(void) {
  hal_require_card("gm_init", "lanai");
  return GM_SUCCESS;
}

void gm_finalize(void) {}

/* Not inlined: opening a port with the usual version executes no additional instruction. */
static __attribute__((noinline)) int is_version(unsigned version) {
  static const unsigned versions[] = {GM_API_VERSION_1_0,    GM_API_VERSION_1_1,   GM_API_VERSION_1_2,
                                      GM_API_VERSION_1_3,    GM_API_VERSION_1_4,   GM_API_VERSION_1_5,
                                      GM_API_VERSION_1_6,    GM_API_VERSION_2_0,   GM_API_VERSION_2_0_6,
                                      GM_API_VERSION_2_0_12, GM_API_VERSION_2_0_16};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i)
    if (versions[i] == version) return 1;
  return 0;
}

gm_status_t gm_open(struct gm_port** to, unsigned unit, unsigned number, const char* name, unsigned version) {
  (void)name;
  hal_require_card("gm_open", "lanai");
  *to = NULL;
  if (unit != 0) return GM_NO_SUCH_DEVICE;
  if (version != GM_API_VERSION && !is_version(version)) return GM_INCOMPATIBLE_LIB_AND_DRIVER;
  struct gm_port* port = calloc(1, sizeof *port);
  if (!port) return GM_OUT_OF_MEMORY;
  port->events = aligned_alloc(4096, LCP_EVENT_SLOTS * sizeof *port->events);
  if (!port->events) {
    free(port);
    return GM_OUT_OF_MEMORY;
  }
  memset(port->events, 0, LCP_EVENT_SLOTS * sizeof *port->events);
  struct gmdrv_open request = {.port = number, .events = hal_address(port->events)};
  if (hal_ioctl(GMDRV_OPEN, &request) != 0) {
    free(port->events);
    free(port);
    return number == 0 || number >= LCP_PORTS ? GM_INVALID_PARAMETER : GM_BUSY;
  }
  port->distance = hal_address(port->events) - hal_bus_address(port->events);
  port->number = number;
  port->node = request.node;
  port->nodes = request.nodes;
  port->slots = request.slots;
  port->send_tokens = LCP_SEND_TOKENS;
  port->receive_tokens = LCP_RECEIVE_TOKENS;
  for (int i = 0; i < (int)LCP_SEND_SLOTS; ++i) port->sends[i].next_free = i + 1 < (int)LCP_SEND_SLOTS ? i + 1 : -1;
  *to = port;
  return GM_SUCCESS;
}

void gm_close(struct gm_port* port) {
  struct gmdrv_close request = {.port = port->number};
  hal_ioctl(GMDRV_CLOSE, &request);
  gm_release_memory(port);
  free(port->events);
  free(port);
}

unsigned gm_get_port_id(struct gm_port* port) { return port->number; }
unsigned gm_num_ports(struct gm_port* port) {
  (void)port;
  return LCP_PORTS;
}
unsigned gm_num_send_tokens(struct gm_port* port) {
  (void)port;
  return LCP_SEND_TOKENS;
}
unsigned gm_num_receive_tokens(struct gm_port* port) {
  (void)port;
  return LCP_RECEIVE_TOKENS;
}
unsigned gm_mtu(struct gm_port* port) {
  (void)port;
  return GM_MTU;
}

unsigned gm_send_token_left(struct gm_port* port, unsigned priority) {
  (void)priority;
  return port->send_tokens > 0;
}

int gm_send_token_available(struct gm_port* port, unsigned priority) {
  return port->keeps_tokens ? port->own_tokens[priority] > 0 : port->send_tokens > 0;
}

int gm_alloc_send_token(struct gm_port* port, unsigned priority) {
  if (!gm_send_token_available(port, priority)) return 0;
  if (port->keeps_tokens) --port->own_tokens[priority];
  return 1;
}

void gm_free_send_tokens(struct gm_port* port, unsigned priority, unsigned count) {
  port->keeps_tokens = 1;
  port->own_tokens[priority] += count;
}

void gm_free_send_token(struct gm_port* port, unsigned priority) { gm_free_send_tokens(port, priority, 1); }

unsigned gm_min_size_for_length(gm_size_t length) {
  unsigned size = 3;
  while (size < LCP_SIZES - 1 && gm_max_length_for_size(size) < length) ++size;
  return size;
}

gm_size_t gm_max_length_for_size(unsigned size) { return size < 3 ? 0 : ((gm_size_t)1 << size) - 8; }

unsigned gm_min_message_size(struct gm_port* port) {
  (void)port;
  return 3;
}

gm_status_t gm_register_memory_ex(struct gm_port* port, void* memory, gm_size_t bytes, void* as) {
  return as == memory ? gm_register_memory(port, memory, bytes) : GM_INVALID_PARAMETER;
}

gm_status_t gm_allow_remote_memory_access(struct gm_port* port) {
  (void)port;
  return GM_SUCCESS;
}
