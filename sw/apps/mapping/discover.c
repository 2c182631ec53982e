/* Switch by switch: which ports lead to hosts, and which to other switches. */
#include <string.h>

#include "sw/apps/mapping/map.h"

static struct way then(const struct way* way, const struct way* more) {
  struct way longer = *way;
  for (unsigned i = 0; i < more->length && longer.length < LANAI_ROUTE_BYTES; ++i)
    longer.ports[longer.length++] = more->ports[i];
  return longer;
}

static struct way by(unsigned port) { return (struct way){.ports = {(uint8_t)port}, .length = 1}; }

/* The node at each port of the switch at the end of a route. */
static void ask_ports(struct mapper* mapper, const struct way* there, const struct way* back, uint32_t* hosts) {
  scouts_begin(mapper);
  for (unsigned port = 0; port < MAP_PORTS; ++port) {
    const struct way last = by(port), way = then(there, &last);
    scouts_send(mapper, port, &way, back, MAPPING_SCOUT, NULL, 0);
  }
  scouts_wait(mapper);
  for (unsigned port = 0; port < MAP_PORTS; ++port) hosts[port] = scouts_answer(mapper, port);
}

static uint32_t known_by(const struct map* map, const uint32_t* hosts) {
  for (unsigned port = 0; port < MAP_PORTS; ++port)
    if (hosts[port] != MAP_NONE && map->seats[hosts[port]].at != MAP_NONE) return map->seats[hosts[port]].at;
  return MAP_NONE;
}

static uint32_t add_switch(struct map* map, const struct way* there, const struct way* back, const uint32_t* hosts) {
  if (map->count == MAP_SWITCHES) return MAP_NONE;
  const uint32_t number = map->count++;
  struct map_switch* new = &map->switches[number];
  *new = (struct map_switch){.there = *there, .back = *back, .first_host = MAP_NONE};
  for (unsigned port = 0; port < MAP_PORTS; ++port) {
    if (hosts[port] == MAP_NONE || hosts[port] >= map->nodes) continue;
    new->ports[port] = (struct map_port){.kind = MAP_HOST, .to = hosts[port]};
    if (hosts[port] < new->first_host) new->first_host = hosts[port];
    map->seats[hosts[port]].at = number;
    map->seats[hosts[port]].port = port;
    ++new->hosts;
    ++map->hosts;
  }
  return number;
}

/* The port by which a neighbour leads back to switch `at`: from there one of its hosts answers. */
static unsigned port_back(struct mapper* mapper, const struct map_switch* at, unsigned port) {
  unsigned host = 0;
  while (host < MAP_PORTS && at->ports[host].kind != MAP_HOST) ++host;
  if (host == MAP_PORTS) return MAP_PORTS;
  scouts_begin(mapper);
  for (unsigned back = 0; back < MAP_PORTS; ++back) {
    const struct way round = {.ports = {(uint8_t)port, (uint8_t)back, (uint8_t)host}, .length = 3};
    const struct way way = then(&at->there, &round);
    scouts_send(mapper, back, &way, &at->back, MAPPING_SCOUT, NULL, 0);
  }
  scouts_wait(mapper);
  unsigned back = 0;
  while (back < MAP_PORTS && scouts_answer(mapper, back) != at->ports[host].to) ++back;
  return back;
}

static void explore(struct mapper* mapper, struct map* map, uint32_t number) {
  for (unsigned port = 0; port < MAP_PORTS; ++port) {
    struct map_switch* at = &map->switches[number];
    if (at->ports[port].kind != MAP_NOTHING) continue;
    const unsigned back = port_back(mapper, at, port);
    if (back == MAP_PORTS) continue;
    const struct way out = by(port), in = by(back);
    const struct way there = then(&at->there, &out), home = then(&in, &at->back);
    uint32_t hosts[MAP_PORTS];
    ask_ports(mapper, &there, &home, hosts);
    uint32_t other = known_by(map, hosts);
    if (other == MAP_NONE) other = add_switch(map, &there, &home, hosts);
    if (other == MAP_NONE) continue;
    at->ports[port] = (struct map_port){.kind = MAP_SWITCH, .to = other, .port = back};
    map->switches[other].ports[back] = (struct map_port){.kind = MAP_SWITCH, .to = number, .port = port};
    ++map->links;
  }
}

int map_discover(struct mapper* mapper, struct map* map) {
  memset(map, 0, sizeof *map);
  gm_max_node_id_in_use(mapper->port, &map->nodes);
  for (unsigned i = 0; i < LCP_MOST_NODES; ++i) map->seats[i].at = MAP_NONE;
  /* Finds the port of its switch that leads back here. */
  const struct way nowhere = {.length = 0};
  uint32_t hosts[MAP_PORTS];
  ask_ports(mapper, &nowhere, &nowhere, hosts);
  unsigned own = 0;
  while (own < MAP_PORTS && hosts[own] != mapper->node) ++own;
  if (own == MAP_PORTS) return 0;
  const struct way home = by(own);
  ask_ports(mapper, &nowhere, &home, hosts);
  add_switch(map, &nowhere, &home, hosts);
  for (uint32_t number = 0; number < map->count; ++number) explore(mapper, map, number);
  return 1;
}
