/* Sends tables to their cards: packets of routes, each confirmed, or requested again. */
#include <stdlib.h>
#include <string.h>

#include "sw/apps/mapping/map.h"
#include "sw/gmdrv/gmdrv.h"
#include "sw/hal/hal.h"

#define ATTEMPTS 5
#define ROUTE_INSTRUCTIONS 200u /* to compute a route (A) */

static void load_own(const struct map* map, const struct lanai_route* table) {
  struct gmdrv_mapper request = {0};
  if (hal_ioctl(GMDRV_MAPPER, &request) != 0) hal_abort(request.error);
  hal_write_block(request.routes, table, (size_t)map->nodes * LANAI_ROUTES * sizeof *table);
}

/* A host's table in pieces of MAPPING_NODES nodes. Returns whether it confirmed all of them. */
static int load(struct mapper* mapper, const struct map* map, uint32_t host, const struct lanai_route* table) {
  static struct {
    struct mapping_scout head;
    struct lanai_route routes[MAPPING_NODES * LANAI_ROUTES];
  } body;
  const struct map_switch* at = &map->switches[map->seats[host].at];
  struct way there = at->there;
  there.ports[there.length++] = (uint8_t)map->seats[host].port;
  for (uint32_t first = 0; first < map->nodes; first += MAPPING_NODES) {
    const uint32_t left = map->nodes - first, count = left < MAPPING_NODES ? left : (uint32_t)MAPPING_NODES;
    const size_t bytes = count * LANAI_ROUTES * sizeof *table;
    body.head = (struct mapping_scout){.first = first, .count = count};
    memcpy(body.routes, table + first * LANAI_ROUTES, bytes);
    int confirmed = 0;
    for (int attempt = 0; attempt < ATTEMPTS && !confirmed; ++attempt) {
      scouts_begin(mapper);
      scouts_send(mapper, 0, &there, &at->back, MAPPING_ROUTES, &body.head, sizeof body.head + bytes);
      scouts_wait(mapper);
      confirmed = scouts_answer(mapper, 0) == host;
    }
    if (!confirmed) return 0;
  }
  return 1;
}

unsigned map_load(struct mapper* mapper, const struct map* map) {
  struct lanai_route* table = malloc((size_t)map->nodes * LANAI_ROUTES * sizeof *table);
  unsigned silent = 0;
  for (uint32_t host = 0; host < map->nodes; ++host) {
    if (map->seats[host].at == MAP_NONE) continue;
    map_routes(map, host, table);
    hal_instructions((uint64_t)map->hosts * ROUTE_INSTRUCTIONS);
    if (host == mapper->node)
      load_own(map, table);
    else
      silent += !load(mapper, map, host, table);
  }
  free(table);
  return silent;
}
