/* Virtual-process tables: the route of packets to each process of the job (FACTS.md 1.2). */
#include <stdlib.h>
#include <string.h>

#include "sw/elan3drv/card.h"
#include "sw/hal/hal.h"

#define MOST_NIBBLES 28u /* 7 flits of 4 */

/* The elements of a route after its first, which has a code of its own in flit 0; of a wide one, all of them. */
struct route {
  uint32_t first;
  union {
    uint32_t nibbles[MOST_NIBBLES];
    uint32_t ports[E3_WIDE_HOPS];
  };
  uint32_t count;
  int started;
  int wide;
};

static void put_nibble(struct route* route, uint32_t nibble) { route->nibbles[route->count++] = nibble; }

static void put(struct route* route, uint32_t element, uint32_t nibble) {
  if (!route->started)
    route->first = element;
  else
    put_nibble(route, nibble);
  route->started = 1;
}

static void put_port(struct route* route, uint32_t port) { put(route, E3_ELEMENT_PORT(port), E3_NIBBLE_PORT(port)); }

static void put_range(struct route* route, uint32_t top, uint32_t bottom) {
  if (!route->started) {
    route->first = E3_ELEMENT_RANGE(top, bottom);
  } else {
    put_nibble(route, E3_NIBBLE_RANGE_FIRST(bottom));
    put_nibble(route, E3_NIBBLE_RANGE_SECOND(top, bottom));
  }
  route->started = 1;
}

/* Digit of a node's number in the base that the tree's arity is; level 0 is the lowest. */
static uint32_t digit(const struct e3_position* tree, uint32_t node, uint32_t level) {
  while (level-- > 0) node /= tree->arity;
  return node % tree->arity;
}

/* Level of the nearest switch above both: their highest digit that differs. */
static uint32_t meeting_level(const struct e3_position* tree, uint32_t a, uint32_t b) {
  uint32_t level = 0;
  for (a /= tree->arity, b /= tree->arity; a != b; a /= tree->arity, b /= tree->arity) ++level;
  return level;
}

/* Up, as all packets of a whole fat tree climb, and down by the digits of the node. */
static void put_by_digits(struct route* route, const struct e3_position* tree, uint32_t to) {
  const uint32_t top = meeting_level(tree, tree->node, to);
  for (uint32_t level = 0; level < top; ++level) put(route, E3_ELEMENT_ADAPTIVE, E3_NIBBLE_ADAPTIVE);
  for (uint32_t level = top + 1; level-- > 0;) put_port(route, digit(tree, to, level));
}

/* By the row of the network's table. */
static void put_by_table(struct route* route, const struct e3_position* network, uint32_t to) {
  uint8_t row[E3_MOST_PATH_BYTES];
  hal_read_block(hal_device(E3_BAR_ROM) + sizeof *network + (uint64_t)to * network->path_bytes, row,
                 network->path_bytes);
  for (uint32_t i = 1; i <= row[0]; ++i) {
    if (row[i] == E3_PATH_ADAPTIVE)
      put(route, E3_ELEMENT_ADAPTIVE, E3_NIBBLE_ADAPTIVE);
    else if (network->wide_ports)
      route->ports[route->count++] = row[i];
    else
      put_port(route, row[i]);
  }
  route->wide = network->wide_ports != 0;
}

/* Without elements if no route leads to the node. */
static struct route unicast(const struct e3_position* network, uint32_t to) {
  struct route route = {0};
  if (network->path_bytes > 0)
    put_by_table(&route, network, to);
  else
    put_by_digits(&route, network, to);
  return route;
}

static int leads_nowhere(const struct route* route) { return !route->started && route->count == 0; }

/* Climbs by fixed up ports, the same for all nodes, so that all broadcasts of a subtree share one root. TREE_UP is
 * the first one. */
static struct route broadcast(const struct e3_position* tree, uint32_t low, uint32_t high) {
  struct route route = {0};
  const uint32_t below = meeting_level(tree, tree->node, low), above = meeting_level(tree, tree->node, high);
  const uint32_t top = below > above ? below : above;
  for (uint32_t level = 0; level < top; ++level) {
    if (tree->broadcast_up[level] == 0)
      put(&route, E3_ELEMENT_TREE_UP, E3_NIBBLE_TREE_UP);
    else
      put_port(&route, tree->arity + tree->broadcast_up[level]);
  }
  for (uint32_t level = top + 1; level-- > 0;) put_range(&route, digit(tree, high, level), digit(tree, low, level));
  return route;
}

static const uint32_t default_timeout = 3; /* FACTS.md 1.1: output timeout select */

/* Flits of a route of bytes: each a port plus one. */
static void pack_wide(const struct route* route, uint16_t flits[E3_ROUTE_FLITS]) {
  memset(flits, 0, E3_ROUTE_FLITS * sizeof *flits);
  flits[0] = (uint16_t)(E3_ELEMENT_WIDE | default_timeout << E3_FLIT0_TIMEOUT_SHIFT);
  for (uint32_t i = 0; i < route->count; ++i) flits[1 + i / 2] |= (uint16_t)((route->ports[i] + 1) << i % 2 * 8);
}

/* Flits of a route: pads come first in flit 1, so that the last flit is full; then zeros. */
static void pack(const struct route* route, uint16_t flits[E3_ROUTE_FLITS]) {
  const uint32_t pads = (4 - route->count % 4) % 4;
  memset(flits, 0, E3_ROUTE_FLITS * sizeof *flits);
  flits[0] = (uint16_t)(route->first | pads << E3_FLIT0_FIRST_SHIFT | default_timeout << E3_FLIT0_TIMEOUT_SHIFT);
  for (uint32_t i = 0; i < pads + route->count; ++i) {
    const uint32_t nibble = i < pads ? E3_NIBBLE_PAD : route->nibbles[i - pads];
    flits[1 + i / 4] |= (uint16_t)(nibble << i % 4 * 4);
  }
}

/* A table entry. A long route goes into a record of its own. 0: the card's memory is full. */
static uint64_t entry(struct card* card, const struct route* route, uint32_t context) {
  const uint64_t owner = E3_ROUTE_VALID | (uint64_t)context << E3_ROUTE_CONTEXT_SHIFT;
  uint16_t flits[E3_ROUTE_FLITS];
  if (route->wide)
    pack_wide(route, flits);
  else
    pack(route, flits);
  if (flits[E3_ROUTE_SMALL_FLITS] == 0) return owner | (uint64_t)flits[2] << 32 | (uint64_t)flits[1] << 16 | flits[0];
  const uint32_t record = extents_allocate(&card->sdram, sizeof flits, sizeof flits);
  if (record == 0) return 0;
  card_to_sdram(card, record, flits, sizeof flits);
  return owner | E3_ROUTE_POINTER | record;
}

uint32_t context_of(uint32_t job, uint32_t index) { return (job + 1) * ELAN3_PROCESSES_PER_NODE + index; }

const char* routes_create(struct card* card, struct process* process) {
  const uint32_t bytes = (process->processes + ELAN3_BROADCASTS) * (uint32_t)sizeof(uint64_t);
  process->vp_table = extents_allocate(&card->sdram, bytes, sizeof(uint64_t));
  if (process->vp_table == 0) return "the card's memory is full";
  uint64_t* none = calloc(1, bytes);
  card_to_sdram(card, process->vp_table, none, bytes);
  free(none);
  return NULL;
}

const char* routes_add(struct card* card, struct process* process, uint32_t first, uint32_t count) {
  if (first > process->processes || count > process->processes - first)
    return "the capability has no such virtual processes";
  uint64_t* entries = calloc(count + 1, sizeof *entries);
  uint32_t* indices = calloc(card->position.nodes, sizeof *indices);
  for (uint32_t i = 0; i < first + count; ++i) {
    const uint32_t node = (uint32_t)process->nodes[i];
    const uint32_t index = indices[node]++;
    if (i < first) continue;
    const struct route route = unicast(&card->position, node);
    if (leads_nowhere(&route)) continue; /* what is sent there traps */
    entries[i - first] = entry(card, &route, context_of(process->job, index));
  }
  card_to_sdram(card, process->vp_table + first * (uint32_t)sizeof *entries, entries, count * sizeof *entries);
  free(indices);
  free(entries);
  return NULL;
}

/* Whether the job has more than `place` processes on each of these nodes. */
static int reaches(const struct card* card, const struct process* process, uint32_t low, uint32_t high,
                   uint32_t place) {
  uint32_t* count = calloc(card->position.nodes, sizeof *count);
  for (uint32_t i = 0; i < process->processes; ++i) ++count[process->nodes[i]];
  int all = 1;
  for (uint32_t node = low; node <= high; ++node) all &= count[node] > place;
  free(count);
  return all;
}

static void free_record(struct card* card, uint64_t at) {
  const uint64_t old = hal_read64(at);
  if (old & E3_ROUTE_POINTER) extents_free(&card->sdram, (uint32_t)old, E3_ROUTE_FLITS * sizeof(uint16_t));
}

const char* routes_set_broadcast(struct card* card, const struct process* process,
                                 struct elan3_broadcast_request* args) {
  if (args->low > args->high || args->high >= card->position.nodes)
    return "a broadcast goes to nodes low..high of the machine";
  if (!card->position.has_broadcast) return "no switch of this network leads down to all nodes; ask elan_hardware()";
  if (args->number >= ELAN3_BROADCASTS) return "a process has 18 broadcast virtual processes";
  if (!reaches(card, process, args->low, args->high, args->place))
    return "the capability has no such process on some of these nodes";
  const struct route route = broadcast(&card->position, args->low, args->high);
  const uint64_t to = entry(card, &route, context_of(process->job, args->place));
  if (to == 0) return "the card's memory is full";
  args->process = process->processes + args->number;
  const uint64_t at = card->sdram_window + process->vp_table + args->process * sizeof to;
  free_record(card, at);
  hal_write64(at, to);
  return NULL;
}
