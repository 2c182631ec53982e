/* Groups and the software barrier.
 *
 * Processes of a node meet in shared memory; the first of each node then meets those of the others: in round r it puts
 * the barrier's number into the memory of the one 2^r further on, and waits for that of the one 2^r behind. A put costs
 * a word to Elan memory and a command, for its descriptor stays the same. */
#include "sw/elanlib/group.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

static volatile uint32_t* flag(const ELAN_GROUP* group, unsigned round) {
  return group->flags + round * (CACHE_LINE / sizeof(uint32_t));
}

static E3_Addr slot_of(const ELAN_GROUP* group, unsigned parity, unsigned round) {
  return group->slots + (parity * MOST_ROUNDS + round) * (E3_Addr)sizeof(struct slot);
}

static void make_descriptors(ELAN_GROUP* group) {
  struct elan_base* base = group->base;
  for (unsigned round = 0; round < group->rounds; ++round) {
    const unsigned partner = base->leaders[(base->my_node + (1u << round)) % base->nodes];
    for (unsigned parity = 0; parity < 2; ++parity) {
      const E3_Addr at = slot_of(group, parity, round);
      const struct slot slot = {.dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                                        .size = sizeof(uint32_t),
                                        .source = at + (E3_Addr)offsetof(struct slot, word),
                                        .dest = group->flags_address + round * CACHE_LINE,
                                        .dest_cookie_proc = elan3_local_cookie(base->ctx, partner),
                                        .src_cookie_proc = elan3_local_cookie(base->ctx, base->self)}};
      elan3_copy_to_sdram(base->ctx, &slot, at, sizeof slot);
    }
  }
}

ELAN_GROUP* elan_group_create(struct elan_base* base) {
  ELAN_GROUP* group = calloc(1, sizeof *group);
  group->base = base;
  char name[64];
  snprintf(name, sizeof name, "elan.group.%d", hal_job());
  group->local = hal_shared(name, sizeof *group->local);
  while ((1u << group->rounds) < base->nodes) ++group->rounds;
  group->flags_address = base->symmetric;
  group->flags = elan_gallocMain(base, MOST_ROUNDS * CACHE_LINE);
  group->slots = elan_gallocElan(base, 2 * MOST_ROUNDS * sizeof(struct slot));
  if (!group->local || !group->flags || group->slots == 0) hal_abort("elan_baseInit: no memory for a group");
  if (base->node_self == 0) make_descriptors(group);
  elan_hardware_create(group);
  return group;
}

unsigned elan_groupSize(const ELAN_GROUP* group) { return group->base->count; }

unsigned elan_groupSelf(const ELAN_GROUP* group) { return group->base->self; }

/* Whether a sequence number has been reached, also when it has gone once around. */
static int reached(uint32_t seen, uint32_t sequence) { return (int32_t)(seen - sequence) >= 0; }

static void wait_for(struct elan_base* base, const volatile uint32_t* word, uint32_t sequence) {
  for (uint32_t seen = *word; !reached(seen, sequence); seen = *word) elan_sleep(base, &word, &seen, 1);
}

void elan_local_arrive(ELAN_GROUP* group, uint32_t sequence) {
  struct elan_base* base = group->base;
  if (base->node_self != 0) {
    hal_store_word(&group->local->process[base->node_self].arrived, sequence);
    return;
  }
  for (unsigned i = 1; i < base->node_count; ++i) wait_for(base, &group->local->process[i].arrived, sequence);
}

void elan_local_release(ELAN_GROUP* group, uint32_t sequence) {
  struct elan_base* base = group->base;
  if (base->node_self != 0) {
    wait_for(base, &group->local->released, sequence);
  } else if (base->node_count > 1) {
    hal_store_word(&group->local->released, sequence);
  }
}

/* A slot is written again two barriers later. The barrier between can only have ended when all had left the first. */
static void meet_other_nodes(ELAN_GROUP* group, uint32_t sequence) {
  ELAN3_CTX* ctx = group->base->ctx;
  for (unsigned round = 0; round < group->rounds; ++round) {
    const E3_Addr at = slot_of(group, sequence % 2, round);
    elan3_write32_to_sdram(ctx, at + (E3_Addr)offsetof(struct slot, word), sequence);
    elan3_putdma(ctx, at);
    wait_for(group->base, flag(group, round), sequence);
  }
}

void elan_gsync(ELAN_GROUP* group) {
  const uint32_t sequence = ++group->sequence;
  elan_local_arrive(group, sequence);
  if (group->base->node_self == 0) meet_other_nodes(group, sequence);
  elan_local_release(group, sequence);
}
