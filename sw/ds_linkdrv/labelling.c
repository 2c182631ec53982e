/* The links of a switch that lead to each host: shortest ways; away from hosts by any link, else along the slowest axis
 * first, that is to the neighbour with the most distant number: the order of a grid's rows (FACTS.md 3.2). */
#include <stdlib.h>
#include <string.h>

#include "sw/ds_linkdrv/configure.h"
#include "sw/ds_linkdrv/detours.h"
#include "sw/hal/hal.h"

#define NOWHERE UINT32_MAX

void labelling_spread(const struct labelling* labelling, uint32_t* distance, uint32_t* queue, uint32_t waiting) {
  for (uint32_t next = 0; next < waiting; ++next)
    for (uint32_t link = 0; link < STC104_LINKS; ++link) {
      const uint32_t word = labelling_peer(labelling, queue[next], link);
      if (!STC104_PEER_IS_SWITCH(word) || distance[STC104_PEER_NUMBER(word)] != NOWHERE) continue;
      distance[STC104_PEER_NUMBER(word)] = distance[queue[next]] + 1;
      queue[waiting++] = STC104_PEER_NUMBER(word);
    }
}

/* Whether or not its cable works: packets for it then go as far as the cable. */
static int is_host(uint32_t word) { return STC104_PEER_IS_HOST(word) || STC104_PEER_IS_LOST_HOST(word); }

static int has_hosts(const struct labelling* labelling, uint32_t switch_) {
  for (uint32_t link = 0; link < STC104_LINKS; ++link)
    if (is_host(labelling_peer(labelling, switch_, link))) return 1;
  return 0;
}

/* Failed cables between switches count as working ones: they do not change what a switch is, and if an adjacent cable
 * works, the switch passes over them. */
static void pass_over_failed(struct labelling* labelling) {
  for (uint32_t at = 0; at < labelling->network->switches * STC104_LINKS; ++at) {
    uint32_t* word = &labelling->peers[at];
    if (STC104_PEER_IS_LOST_SWITCH(*word)) *word = STC104_PEER_SWITCH(STC104_PEER_NUMBER(*word));
  }
}

static void find_levels(struct labelling* labelling, uint32_t* queue) {
  const uint32_t switches = labelling->network->switches;
  memset(labelling->level, 0xff, switches * sizeof(uint32_t));
  uint32_t waiting = 0;
  for (uint32_t s = 0; s < switches; ++s) {
    if (!has_hosts(labelling, s)) continue;
    labelling->level[s] = 0;
    queue[waiting++] = s;
  }
  labelling_spread(labelling, labelling->level, queue, waiting);
  for (uint32_t s = 0; s < switches; ++s)
    if (labelling->level[s] != NOWHERE && labelling->level[s] > labelling->highest)
      labelling->highest = labelling->level[s];
}

static void find_shortest_ways(struct labelling* labelling, uint32_t* queue) {
  const uint32_t switches = labelling->network->switches;
  memset(labelling->distance, 0xff, (size_t)switches * switches * sizeof(uint32_t));
  for (uint32_t s = 0; s < switches; ++s) {
    uint32_t* row = labelling->distance + (size_t)s * switches;
    row[s] = 0;
    queue[0] = s;
    labelling_spread(labelling, row, queue, 1);
  }
}

void labelling_make(struct labelling* labelling, const struct stc104_network* network) {
  const uint32_t switches = network->switches;
  const size_t peers_bytes = (size_t)switches * STC104_LINKS * sizeof(uint32_t);
  *labelling = (struct labelling){.network = network,
                                  .peers = malloc(peers_bytes),
                                  .level = malloc(switches * sizeof(uint32_t)),
                                  .distance = malloc((size_t)switches * switches * sizeof(uint32_t)),
                                  .home = malloc(network->hosts * sizeof(uint32_t))};
  uint32_t* queue = malloc(switches * sizeof *queue);
  if (!labelling->peers || !labelling->level || !labelling->distance || !labelling->home || !queue)
    hal_abort("ds_linkdrv: the node's memory is full; give it more (host.memory)");
  memcpy(labelling->peers, network->peers, peers_bytes);
  memset(labelling->home, 0xff, network->hosts * sizeof(uint32_t));
  for (uint32_t at = 0; at < switches * STC104_LINKS; ++at)
    if (is_host(network->peers[at])) labelling->home[STC104_PEER_NUMBER(network->peers[at])] = at / STC104_LINKS;
  const int has_detours = detours_needed(labelling);
  pass_over_failed(labelling);
  find_levels(labelling, queue);
  if (has_detours) {
    memcpy(labelling->peers, network->peers, peers_bytes);
    labelling->detours = detours_make(labelling);
  } else {
    find_shortest_ways(labelling, queue);
  }
  free(queue);
}

void labelling_free(struct labelling* labelling) {
  detours_free(labelling->detours);
  free(labelling->peers);
  free(labelling->level);
  free(labelling->distance);
  free(labelling->home);
}

static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

struct ways labelling_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target) {
  if (labelling->detours) return detours_to_switch(labelling, switch_, target);
  const struct stc104_network* network = labelling->network;
  const uint32_t* distance = labelling->distance + (size_t)target * network->switches;
  struct ways ways = {0};
  uint32_t furthest = 0;
  for (uint32_t link = 0; link < STC104_LINKS; ++link) {
    const uint32_t word = labelling_peer(labelling, switch_, link);
    if (!STC104_PEER_IS_SWITCH(word)) continue;
    const uint32_t next = STC104_PEER_NUMBER(word);
    if (distance[next] == NOWHERE || distance[next] + 1 != distance[switch_]) continue;
    const int is_up = labelling->level[next] > labelling->level[switch_];
    /* The way up is one group, whatever its links lead to. */
    const uint32_t far = is_up ? NOWHERE : apart(next, switch_);
    if (ways.count > 0 && far < furthest) continue;
    if (far > furthest || ways.count == 0) ways = (struct ways){.first = link};
    furthest = far;
    ways.count = link - ways.first + 1;
    ways.shared_out = network->uplinks == STC104_UPLINKS_FIXED && labelling->level[next] >= labelling->level[switch_];
  }
  return ways;
}

struct ways labelling_to_host(const struct labelling* labelling, uint32_t switch_, uint32_t host) {
  const uint32_t target = labelling->home[host];
  if (target == NOWHERE) return (struct ways){0};
  for (uint32_t link = 0; switch_ == target; ++link)
    if (is_host(labelling_peer(labelling, switch_, link)) &&
        STC104_PEER_NUMBER(labelling_peer(labelling, switch_, link)) == host)
      return (struct ways){.first = link, .count = 1};
  return labelling_to_switch(labelling, switch_, target);
}

static int leads_down_everywhere(const struct labelling* labelling, uint32_t switch_) {
  const uint32_t switches = labelling->network->switches;
  for (uint32_t target = 0; labelling->detours && target < switches; ++target)
    if (labelling->level[target] == 0 && labelling->detours->goes_up[(size_t)target * switches + switch_]) return 0;
  return 1;
}

uint32_t labelling_top(const struct labelling* labelling, uint32_t n) {
  for (uint32_t s = 0; s < labelling->network->switches; ++s)
    if (labelling->level[s] == labelling->highest && leads_down_everywhere(labelling, s) && n-- == 0) return s;
  return NOWHERE;
}
