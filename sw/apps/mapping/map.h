/* The mapper's work: discovers the network by scouts, computes routes, and loads them into every card.
 *
 * A scout is a packet along a route that the mapper tries. If the route ends at a host, that card's control program
 * replies with its identity. So the mapper learns switch by switch which ports lead to hosts and which to other
 * switches; a switch is known by its hosts. A port without an answer counts as empty.
 */
#ifndef SANVP_APPS_MAP_H
#define SANVP_APPS_MAP_H

#include "sw/gm/gm.h"

#include "sw/gm/mapping.h"

#define MAP_PORTS 16u     /* of a switch, at most (A) */
#define MAP_SWITCHES 256u /* (A) */
#define MAP_NONE UINT32_MAX

enum map_kind { MAP_NOTHING, MAP_HOST, MAP_SWITCH };
struct map_port {
  enum map_kind kind;
  uint32_t to;   /* node, or number of the switch */
  uint32_t port; /* there, of a switch */
};

/* A way as bytes: a port for each switch. */
struct way {
  uint8_t ports[LANAI_ROUTE_BYTES];
  unsigned length;
};

struct map_switch {
  struct way there, back; /* from the mapper's host to this switch, whose own port comes next; and the way back */
  struct map_port ports[MAP_PORTS];
  uint32_t first_host; /* its lowest node, which identifies it */
  unsigned hosts;
};

struct map {
  struct map_switch switches[MAP_SWITCHES];
  unsigned count, hosts, links;
  uint32_t nodes;
  struct {
    uint32_t at, port; /* switch, or MAP_NONE; and port there */
  } seats[LCP_MOST_NODES];
};

/* The mapper's working state. */
struct mapper {
  struct gm_port* port;
  uint32_t node;
  struct raw_packet {
    struct lanai_route route;
    struct packet packet;
  } * packets; /* a buffer for each scout of a round */
  uint32_t answers[64];
  uint32_t round;
  unsigned asked, answered, under_way;
};

/* ---- scouts.c ---- */
#define SCOUTS 32u /* of a round */
void scouts_open(struct mapper* mapper);
void scouts_begin(struct mapper* mapper);
/* Number `index` of the round goes by `there`; its receiver answers by `back`. `body` may hold routes (MAPPING_ROUTES).
 */
void scouts_send(struct mapper* mapper, unsigned index, const struct way* there, const struct way* back,
                 enum mapping_subtype subtype, const struct mapping_scout* body, size_t bytes);
/* Until all have answered, or no more answers come. */
void scouts_wait(struct mapper* mapper);
/* The node that has answered number `index`, or MAP_NONE. */
uint32_t scouts_answer(const struct mapper* mapper, unsigned index);

/* ---- discover.c ---- */
/* Returns 0 if the mapper's own switch does not answer. */
int map_discover(struct mapper* mapper, struct map* map);

/* ---- routes.c: up and down, in-transit (FACTS.md 2.4) ---- */
/* The route table of a host: LANAI_ROUTES entries for each of map->nodes. */
void map_routes(const struct map* map, uint32_t from, struct lanai_route* table);

/* ---- tables.c ---- */
/* Loads the tables of all hosts of the map. Returns how many did not confirm. */
unsigned map_load(struct mapper* mapper, const struct map* map);

#endif
