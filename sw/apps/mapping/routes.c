/* Routes from one host to all others: up*\/down*, and shortest paths split by in-transit hosts (FACTS.md 2.4). A link
 * is up if it leads nearer to the root, which is the switch of the lowest host; among equals, to the lower switch. */
#include <string.h>

#include "sw/apps/mapping/map.h"

enum { RISES, FALLS, PHASES }; /* a path that may still rise, and one that has fallen */
#define FAR UINT32_MAX

/* How a switch is reached in a phase. */
struct step {
  uint32_t hops, splits; /* splits: in-transit hosts */
  uint32_t from;         /* switch before; MAP_NONE: the first */
  uint8_t phase;         /* there */
  uint8_t port;          /* there */
  uint8_t split;         /* there */
};
struct paths {
  struct step at[MAP_SWITCHES][PHASES];
};

struct levels {
  uint32_t of[MAP_SWITCHES];
};

static void find_levels(const struct map* map, struct levels* levels) {
  uint32_t queue[MAP_SWITCHES], root = 0, count = 0;
  for (uint32_t i = 0; i < map->count; ++i) {
    levels->of[i] = FAR;
    if (map->switches[i].first_host < map->switches[root].first_host) root = i;
  }
  levels->of[root] = 0;
  queue[count++] = root;
  for (uint32_t i = 0; i < count; ++i)
    for (unsigned port = 0; port < MAP_PORTS; ++port) {
      const struct map_port* to = &map->switches[queue[i]].ports[port];
      if (to->kind != MAP_SWITCH || levels->of[to->to] != FAR) continue;
      levels->of[to->to] = levels->of[queue[i]] + 1;
      queue[count++] = to->to;
    }
}

static int is_up(const struct map* map, const struct levels* levels, uint32_t from, uint32_t to) {
  if (levels->of[from] != levels->of[to]) return levels->of[to] < levels->of[from];
  return map->switches[to].first_host < map->switches[from].first_host;
}

/* The goal of a path: to need no in-transit host, to be short with few of them, or to be short. */
enum purpose { UP_DOWN, FEWEST_SPLITS, ANY_SHORTEST };

static int is_better(const struct step* new, const struct step* old, enum purpose purpose, uint32_t draw) {
  if (new->hops != old->hops) return new->hops < old->hops;
  if (purpose == ANY_SHORTEST) return draw % 2;
  return purpose == FEWEST_SPLITS && new->splits < old->splits;
}

/* Extends paths by one hop. Returns whether anything was reached. */
static int extend(const struct map* map, const struct levels* levels, struct paths* paths, enum purpose purpose,
                  uint32_t hops, uint32_t salt) {
  int any = 0;
  for (uint32_t at = 0; at < map->count; ++at)
    for (unsigned phase = 0; phase < PHASES; ++phase) {
      const struct step here = paths->at[at][phase];
      if (here.hops != hops) continue;
      for (unsigned port = 0; port < MAP_PORTS; ++port) {
        const struct map_port* to = &map->switches[at].ports[port];
        if (to->kind != MAP_SWITCH) continue;
        const int up = is_up(map, levels, at, to->to), split = phase == FALLS && up;
        if (split && (purpose == UP_DOWN || map->switches[at].hosts == 0)) continue;
        const struct step next = {.hops = hops + 1,
                                  .splits = here.splits + (split ? 1u : 0u),
                                  .from = at,
                                  .phase = (uint8_t)phase,
                                  .port = (uint8_t)port,
                                  .split = (uint8_t)split};
        struct step* known = &paths->at[to->to][up ? RISES : FALLS];
        if (!is_better(&next, known, purpose, salt * 2654435761u + at * 31u + port * 7u + phase)) continue;
        *known = next;
        any = 1;
      }
    }
  return any;
}

static void find_paths(const struct map* map, const struct levels* levels, uint32_t source, enum purpose purpose,
                       uint32_t salt, struct paths* paths) {
  for (uint32_t i = 0; i < map->count; ++i)
    for (unsigned phase = 0; phase < PHASES; ++phase) paths->at[i][phase] = (struct step){.hops = FAR, .splits = FAR};
  paths->at[source][RISES] = (struct step){.from = MAP_NONE};
  for (uint32_t hops = 0; extend(map, levels, paths, purpose, hops, salt); ++hops) continue;
}

/* The host of a switch that sends a packet on: they take turns. */
static unsigned host_port(const struct map_switch* at, uint32_t turn) {
  unsigned left = turn % at->hosts, port = 0;
  for (;; ++port) {
    if (at->ports[port].kind != MAP_HOST) continue;
    if (left-- == 0) return port;
  }
}

/* The bytes of a path, its last switch's port included; none if there is no path or no room. */
static struct lanai_route encode(const struct map* map, const struct paths* paths, uint32_t to, unsigned last_port,
                                 enum purpose purpose, uint32_t turn) {
  const struct step* ends = paths->at[to];
  const int falls = ends[FALLS].hops != ends[RISES].hops ? ends[FALLS].hops < ends[RISES].hops
                                                         : ends[FALLS].splits < ends[RISES].splits;
  uint8_t reversed[2 * LANAI_ROUTE_BYTES];
  unsigned length = 0;
  struct lanai_route route = {.id = (uint8_t)purpose};
  const struct step* step = &ends[falls ? FALLS : RISES];
  if (step->hops == FAR) return route;
  reversed[length++] = (uint8_t)(LANAI_ROUTE_PORT | last_port);
  for (; step->from != MAP_NONE; step = &paths->at[step->from][step->phase]) {
    if (length + 3 > LANAI_ROUTE_BYTES) return route;
    reversed[length++] = (uint8_t)(LANAI_ROUTE_PORT | step->port);
    if (!step->split) continue;
    reversed[length++] = LANAI_ROUTE_IN_TRANSIT;
    reversed[length++] = (uint8_t)(LANAI_ROUTE_PORT | host_port(&map->switches[step->from], turn++));
  }
  route.length = (uint8_t)length;
  for (unsigned i = 0; i < length; ++i) route.bytes[i] = reversed[length - 1 - i];
  return route;
}

void map_routes(const struct map* map, uint32_t from, struct lanai_route* table) {
  static struct paths paths;
  struct levels levels;
  memset(table, 0, (size_t)map->nodes * LANAI_ROUTES * sizeof *table);
  find_levels(map, &levels);
  for (enum purpose purpose = UP_DOWN; purpose <= ANY_SHORTEST; ++purpose) {
    find_paths(map, &levels, map->seats[from].at, purpose, from, &paths);
    for (uint32_t to = 0; to < map->nodes; ++to) {
      if (map->seats[to].at == MAP_NONE) continue;
      const struct lanai_route route = encode(map, &paths, map->seats[to].at, map->seats[to].port, purpose, from + to);
      /* Entries without a gap: for the host itself one is enough. */
      if (route.length > 0 && (to != from || purpose == UP_DOWN)) table[to * LANAI_ROUTES + purpose] = route;
    }
  }
}
