/* Ports, names, size classes, statuses. */
#include "sw/gm/port.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

gm_status_t gm_init(void) {
  hal_require_card("gm_init", "lanai");
  return GM_SUCCESS;
}

void gm_finalize(void) {}

gm_status_t gm_open(struct gm_port** to, unsigned unit, unsigned number, const char* name,
                    enum gm_api_version version) {
  (void)name;
  hal_require_card("gm_open", "lanai");
  *to = NULL;
  if (unit != 0 || version > GM_API_VERSION) return GM_INVALID_PARAMETER;
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

gm_status_t gm_get_node_id(struct gm_port* port, unsigned* id) {
  *id = port->node + 1;
  return GM_SUCCESS;
}
unsigned gm_get_port_id(struct gm_port* port) { return port->number; }
unsigned gm_max_node_id_in_use(struct gm_port* port) { return port->nodes; }
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
unsigned gm_send_token_available(struct gm_port* port, enum gm_priority priority) {
  (void)priority;
  return port->send_tokens > 0;
}

unsigned gm_host_name_to_node_id(struct gm_port* port, const char* name) {
  unsigned node = 0;
  return sscanf(name, "h%u", &node) == 1 && node < port->nodes ? node + 1 : GM_NO_SUCH_NODE_ID;
}

const char* gm_node_id_to_host_name(struct gm_port* port, unsigned id) {
  static char name[16];
  if (id == 0 || id > port->nodes) return NULL;
  snprintf(name, sizeof name, "h%u", id - 1);
  return name;
}

const char* gm_strerror(gm_status_t status) {
  static const char* const texts[] = {"success",
                                      "failure",
                                      "an input buffer is too small",
                                      "an output buffer is too small",
                                      "try again",
                                      "busy",
                                      "memory fault",
                                      "interrupted",
                                      "invalid parameter",
                                      "out of memory",
                                      "invalid command",
                                      "permission denied",
                                      "internal error",
                                      "unattached",
                                      "unsupported device",
                                      "send timed out: the receiver had no buffer",
                                      "send rejected",
                                      "send target port closed",
                                      "send target node unreachable",
                                      "send dropped"};
  return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}

void gm_perror(const char* message, gm_status_t status) { fprintf(stderr, "%s: %s\n", message, gm_strerror(status)); }

unsigned gm_min_size_for_length(gm_size_t length) {
  unsigned size = 3;
  while (size < LCP_SIZES - 1 && gm_max_length_for_size(size) < length) ++size;
  return size;
}

gm_size_t gm_max_length_for_size(unsigned size) { return size < 3 ? 0 : ((gm_size_t)1 << size) - 8; }
