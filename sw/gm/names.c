/* Nodes by id, by name and by the address of their cards. */
#include <stdio.h>
#include <string.h>

#include "sw/gm/port.h"

static int is_node(const struct gm_port* port, unsigned id) { return id != GM_NO_SUCH_NODE_ID && id <= port->nodes; }

gm_status_t gm_get_node_id(struct gm_port* port, unsigned* id) {
  *id = port->node + 1;
  return GM_SUCCESS;
}

gm_status_t gm_max_node_id_in_use(struct gm_port* port, unsigned* id) {
  *id = port->nodes;
  return GM_SUCCESS;
}
gm_status_t gm_max_node_id_inuse(struct gm_port* port, unsigned* id) { return gm_max_node_id_in_use(port, id); }
gm_status_t gm_max_node_id(struct gm_port* port, unsigned* id) { return gm_max_node_id_in_use(port, id); }

unsigned gm_host_name_to_node_id(struct gm_port* port, const char* name) {
  unsigned node = 0;
  return sscanf(name, "h%u", &node) == 1 && node < port->nodes ? node + 1 : GM_NO_SUCH_NODE_ID;
}

gm_status_t gm_host_name_to_node_id_ex(struct gm_port* port, unsigned timeout_us, const char* name, unsigned* id) {
  (void)timeout_us;
  *id = gm_host_name_to_node_id(port, name);
  return *id == GM_NO_SUCH_NODE_ID ? GM_NO_MATCH : GM_SUCCESS;
}

char* gm_node_id_to_host_name(struct gm_port* port, unsigned id) {
  static char name[16];
  if (!is_node(port, id)) return NULL;
  snprintf(name, sizeof name, "h%u", id - 1);
  return name;
}

gm_status_t gm_node_id_to_host_name_ex(struct gm_port* port, unsigned timeout_us, unsigned id,
                                       char (*name)[GM_MAX_HOST_NAME_LEN + 1]) {
  (void)timeout_us;
  if (!is_node(port, id)) return GM_NO_MATCH;
  snprintf(*name, sizeof *name, "h%u", id - 1);
  return GM_SUCCESS;
}

gm_status_t gm_get_host_name(struct gm_port* port, char name[GM_MAX_HOST_NAME_LEN]) {
  snprintf(name, GM_MAX_HOST_NAME_LEN, "h%u", port->node);
  return GM_SUCCESS;
}

gm_status_t gm_node_id_to_global_id(struct gm_port* port, unsigned id, unsigned* global_id) {
  if (!is_node(port, id)) return GM_INVALID_PARAMETER;
  *global_id = id;
  return GM_SUCCESS;
}

gm_status_t gm_global_id_to_node_id(struct gm_port* port, unsigned global_id, unsigned* id) {
  return gm_node_id_to_global_id(port, global_id, id);
}

static const unsigned char maker[3] = {0x00, 0x60, 0xdd}; /* of cards: Myricom, by IEEE's list */

gm_status_t gm_node_id_to_unique_id(struct gm_port* port, unsigned id, char unique[6]) {
  if (!is_node(port, id)) return GM_INVALID_PARAMETER;
  memcpy(unique, maker, sizeof maker);
  for (int i = 0; i < 3; ++i) unique[3 + i] = (char)(id >> (16 - 8 * i));
  return GM_SUCCESS;
}

gm_status_t gm_unique_id_to_node_id(struct gm_port* port, char unique[6], unsigned* id) {
  const unsigned char* bytes = (const unsigned char*)unique;
  *id = (unsigned)bytes[3] << 16 | (unsigned)bytes[4] << 8 | bytes[5];
  return memcmp(unique, maker, sizeof maker) == 0 && is_node(port, *id) ? GM_SUCCESS : GM_NO_MATCH;
}

gm_status_t gm_unique_id(struct gm_port* port, char unique[6]) {
  return gm_node_id_to_unique_id(port, port->node + 1, unique);
}
gm_status_t gm_get_unique_board_id(struct gm_port* port, char unique[6]) { return gm_unique_id(port, unique); }
gm_status_t gm_get_mapper_unique_id(struct gm_port* port, char unique[6]) {
  return gm_node_id_to_unique_id(port, 1, unique);
}
