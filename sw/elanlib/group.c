/* Groups and the software barrier.
 *
 * Processes of a node meet in shared memory; each node's leader then runs a dissemination barrier with the others: in
 * round r it puts the barrier's number into the memory of the leader 2^r ahead, and waits for that of the one 2^r
 * behind. A put costs a word to Elan memory and a command, since its descriptor stays the same. Puts may overtake each
 * other, so even and odd barriers have separate words: when barrier n + 2 begins, the put of barrier n has arrived.
 *
 * Groups that have no process in common may have the same number. Late puts of an earlier group with that number do
 * no harm: barrier numbers of a new group begin above all that its members have seen. */
#include "sw/elanlib/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

#define FLAGS_BYTES (MOST_ROUNDS * CACHE_LINE)
/* An event follows the slots, which counts the puts that are done, down from here. */
#define SLOTS_BYTES (2 * MOST_ROUNDS * sizeof(struct slot))
#define MOST_PUTS INT32_MAX

static volatile uint32_t* flag(const ELAN_GROUP* group, unsigned parity, unsigned round) {
  volatile uint32_t* flags = group->base->meetings->flags + group->number * (FLAGS_BYTES / sizeof *flags);
  return flags + round * (CACHE_LINE / sizeof *flags) + parity;
}

void elan_meetings_start(struct elan_base* base) {
  struct elan_meetings* meetings = calloc(1, sizeof *meetings);
  base->meetings = meetings;
  meetings->flags_address = base->symmetric;
  meetings->flags = elan_gallocMain(base, ELAN_GROUPS * FLAGS_BYTES);
  if (!meetings->flags) hal_abort("elan_baseInit: no memory for groups");
  elan_hardware_start(base);
  elan_broadcast_start(base);
}

/* ---- placement of members ---- */
/* For each node a bit mask of the places that the group has on it. */
static uint32_t* places_by_node(const struct elan_base* base, const char* is_member) {
  uint32_t* places = calloc((size_t)hal_nodes(), sizeof *places);
  unsigned* count = calloc((size_t)hal_nodes(), sizeof *count);
  for (unsigned process = 0; process < base->count; ++process) {
    const int node = hal_rank_node((int)process);
    if (is_member[process] && count[node] < ELAN3_PROCESSES_PER_NODE) places[node] |= 1u << count[node];
    ++count[node];
  }
  free(count);
  return places;
}

static unsigned lowest_bit(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }

/* A broadcast names one place for all nodes of a range: their leaders', if all can have the same. */
static void choose_leaders(ELAN_GROUP* group, const uint32_t* places) {
  const unsigned all_nodes = (unsigned)hal_nodes();
  uint32_t common = UINT32_MAX;
  group->low = all_nodes;
  for (unsigned node = 0; node < all_nodes; ++node) {
    if (places[node] == 0) continue;
    common &= places[node];
    ++group->nodes;
    group->high = node;
    if (group->low == all_nodes) group->low = node;
  }
  const uint32_t here = places[hal_node()];
  for (unsigned place = 0; place < ELAN3_PROCESSES_PER_NODE; ++place)
    if (here >> place & 1) group->local[group->local_count++] = place;
  group->leader = lowest_bit(common ? common : here);
  const int neighbours = group->high - group->low + 1 == group->nodes;
  group->hardware = common != 0 && group->nodes > 1 && neighbours && elan3_hasbcast(group->base->ctx);
  group->leaders = malloc(group->nodes * sizeof *group->leaders);
  unsigned* passed = calloc(all_nodes, sizeof *passed);
  for (unsigned process = 0, found = 0; found < group->nodes; ++process) {
    const int node = hal_rank_node((int)process);
    const unsigned place = passed[node]++;
    if (places[node] == 0 || place != lowest_bit(common ? common : places[node])) continue;
    if (node == hal_node()) group->my_node = found;
    group->leaders[found++] = process;
  }
  free(passed);
}

static void lay_out(ELAN_GROUP* group, const unsigned* members) {
  const struct elan_base* base = group->base;
  char* is_member = calloc(base->count, 1);
  group->self = base->self;
  if (members) {
    const size_t bytes = group->count * sizeof *members;
    group->members = malloc(bytes);
    memcpy(group->members, members, bytes);
    for (unsigned i = 0; i < group->count; ++i) {
      is_member[members[i]] = 1;
      if (members[i] == base->self) group->self = i;
    }
  } else {
    memset(is_member, 1, base->count);
  }
  uint32_t* places = places_by_node(base, is_member);
  choose_leaders(group, places);
  free(places);
  free(is_member);
}

ELAN_GROUP* elan_group_create(struct elan_base* base, const unsigned* members, unsigned count, unsigned number,
                              uint32_t sequence) {
  ELAN_GROUP* group = calloc(1, sizeof *group);
  *group = (ELAN_GROUP){.base = base, .number = number, .count = count, .sequence = sequence};
  base->meetings->taken |= 1u << number;
  lay_out(group, members);
  while ((1u << group->rounds) < group->nodes) ++group->rounds;
  char name[64];
  snprintf(name, sizeof name, "elan.group.%u.%u", number, group->leader);
  group->local_sync = hal_shared(name, sizeof *group->local_sync);
  if (!group->local_sync) hal_abort("elan_groupCreate: no memory for a group; set host.memory");
  return group;
}

unsigned elan_groupSize(const ELAN_GROUP* group) { return group->count; }

unsigned elan_groupSelf(const ELAN_GROUP* group) { return group->self; }

/* ---- processes of a node ---- */
/* Whether a sequence number has been reached, allowing for wrap-around. */
static int reached(uint32_t seen, uint32_t sequence) { return (int32_t)(seen - sequence) >= 0; }

static int wait_for(struct elan_base* base, const volatile uint32_t* word, uint32_t sequence) {
  for (uint32_t seen = *word; !reached(seen, sequence); seen = *word) {
    if (elan_is_hopeless(base)) return 0;
    elan_sleep(base, &word, &seen, 1);
  }
  return 1;
}

int elan_local_arrive(ELAN_GROUP* group, uint32_t sequence) {
  struct elan_base* base = group->base;
  if (!elan_leads(group)) {
    hal_store_word(&group->local_sync->process[base->node_self].arrived, sequence);
    return 1;
  }
  for (unsigned i = 0; i < group->local_count; ++i)
    if (group->local[i] != group->leader &&
        !wait_for(base, &group->local_sync->process[group->local[i]].arrived, sequence))
      return 0;
  return 1;
}

int elan_local_await(ELAN_GROUP* group, const volatile uint32_t* word, uint32_t sequence) {
  return wait_for(group->base, word, sequence);
}

int elan_local_release(ELAN_GROUP* group, uint32_t sequence) {
  if (!elan_leads(group)) return wait_for(group->base, &group->local_sync->released, sequence);
  if (group->local_count > 1) hal_store_word(&group->local_sync->released, sequence);
  return 1;
}

/* ---- the software barrier ---- */
static E3_Addr slot_of(const ELAN_GROUP* group, unsigned parity, unsigned round) {
  return group->base->meetings->slots[group->number] + (parity * MOST_ROUNDS + round) * (E3_Addr)sizeof(struct slot);
}

static E3_Addr puts_done(const ELAN_GROUP* group) { return slot_of(group, 2, 0); }

static void make_descriptors(ELAN_GROUP* group) {
  struct elan_base* base = group->base;
  struct elan_meetings* meetings = base->meetings;
  E3_Addr* slots = &meetings->slots[group->number];
  if (*slots == 0) *slots = elan3_allocElan(base->ctx, CACHE_LINE, SLOTS_BYTES + CACHE_LINE);
  if (*slots == 0) hal_abort("elan_gsync: no Elan memory left for a group");
  const struct e3_event puts = {.count = MOST_PUTS};
  elan3_copy_to_sdram(base->ctx, &puts, puts_done(group), sizeof puts);
  const E3_Addr flags = meetings->flags_address + group->number * FLAGS_BYTES;
  for (unsigned round = 0; round < group->rounds; ++round) {
    const unsigned partner = group->leaders[(group->my_node + (1u << round)) % group->nodes];
    for (unsigned parity = 0; parity < 2; ++parity) {
      const E3_Addr at = slot_of(group, parity, round);
      const struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                                        .size = sizeof(uint32_t),
                                        .source = at + (E3_Addr)offsetof(struct slot, word),
                                        .dest = flags + round * CACHE_LINE + parity * (E3_Addr)sizeof(uint32_t),
                                        .dest_cookie_proc = elan3_local_cookie(base->ctx, partner),
                                        .src_event = group->members ? puts_done(group) : 0,
                                        .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
      elan3_copy_to_sdram(base->ctx, &slot, at, sizeof slot);
    }
  }
  group->has_slots = 1;
}

/* A slot is written again two barriers later. The barrier between can only have ended when all had left the first. */
static int meet_other_nodes(ELAN_GROUP* group, uint32_t sequence) {
  ELAN3_CTX* ctx = group->base->ctx;
  const unsigned parity = sequence % 2;
  if (!group->has_slots) make_descriptors(group);
  for (unsigned round = 0; round < group->rounds; ++round) {
    const E3_Addr at = slot_of(group, parity, round);
    elan3_write32_to_sdram(ctx, at + (E3_Addr)offsetof(struct slot, word), sequence);
    elan3_putdma(ctx, at);
    ++group->puts;
    if (!wait_for(group->base, flag(group, parity, round), sequence)) return 0;
  }
  return 1;
}

int elan_meet(ELAN_GROUP* group) {
  const uint32_t sequence = ++group->sequence;
  return elan_local_arrive(group, sequence) && (!elan_leads(group) || meet_other_nodes(group, sequence)) &&
         elan_local_release(group, sequence);
}

void elan_gsync(ELAN_GROUP* group) { elan_meet(group); }

/* ---- the end ---- */
static int has_dead(const ELAN_GROUP* group) {
  for (unsigned i = 0; i < group->nodes; ++i)
    if (hal_is_dead(hal_rank_node((int)group->leaders[i]))) return 1;
  return 0;
}

/* Descriptors may be reused when the card is done with them. It never finishes those for a dead node. */
static void finish_puts(const ELAN_GROUP* group) {
  if (!group->has_slots) return;
  const E3_Addr count = puts_done(group) + (E3_Addr)offsetof(struct e3_event, count);
  while (elan3_read32_from_sdram(group->base->ctx, count) != MOST_PUTS - group->puts)
    if (has_dead(group)) return;
}

void elan_groupFree(ELAN_GROUP* group) {
  struct elan_meetings* meetings = group->base->meetings;
  if (meetings->readers == group) elan_stage_free(group->base);
  if (meetings->beside == group) meetings->beside = NULL;
  finish_puts(group);
  if (group->sequence > meetings->sequence) meetings->sequence = group->sequence;
  meetings->taken &= ~(1u << group->number);
  free(group->leaders);
  free(group->members);
  free(group);
}
