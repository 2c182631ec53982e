/* Loads the switches' tables over the control network (Macrame paper 3.1, 3.2). */
#include "sw/ds_linkdrv/configure.h"

#include <stdio.h>
#include <stdlib.h>

#include "sw/hal/hal.h"

/* A table on its way to one switch. */
struct table {
  uint32_t entries[STC104_INTERVALS];
  uint32_t count;
};

/* The table of one switch, before it is written out for each of its links. */
struct switch_plan {
  struct table table;
  uint32_t grouped; /* a bit for each link that is in the group of the previous one */
};

static void poke(uint64_t control, uint32_t device, uint32_t offset, uint32_t value) {
  hal_write32(control + STC104_ADDRESS(device, offset), value);
}

/* The devices must be there, in the order of the list. */
static void verify(uint64_t control, const struct stc104_network* network) {
  for (uint32_t device = 0; device < network->switches; ++device) {
    if (hal_read32(control + STC104_ADDRESS(device, STC104_IDENTITY)) == STC104_IS_ONE) continue;
    char text[96];
    snprintf(text, sizeof text, "ds_linkdrv: device %u of the control network is no STC104", device);
    hal_abort(text);
  }
}

static void add(struct table* table, uint32_t switch_, uint32_t end, uint32_t link) {
  uint32_t* last = table->count > 0 ? &table->entries[table->count - 1] : NULL;
  if (last && STC104_ENTRY_LINK(*last) == link) {
    *last = STC104_ENTRY(end, link);
    return;
  }
  if (table->count == STC104_INTERVALS) {
    char text[160];
    snprintf(text, sizeof text,
             "ds_linkdrv: switch %u needs more than %u intervals; number hosts so that neighbours are close, or give "
             "nic.configure=no",
             switch_, STC104_INTERVALS);
    hal_abort(text);
  }
  table->entries[table->count++] = STC104_ENTRY(end, link);
}

static int same(const struct ways* a, const struct ways* b) {
  return a->first == b->first && a->count == b->count && a->shared_out == b->shared_out;
}

/* The link of the `rank`-th of `total` destinations with the same ways, if they are shared out. */
static uint32_t link_of(const struct ways* ways, uint32_t rank, uint32_t total) {
  return ways->shared_out ? ways->first + (uint32_t)((uint64_t)rank * ways->count / total) : ways->first;
}

static void plan_hosts(const struct labelling* labelling, uint32_t switch_, uint32_t headers,
                       struct switch_plan* plan) {
  const uint32_t hosts = labelling->network->hosts;
  struct ways* ways = malloc(hosts * sizeof *ways);
  uint32_t* rank = malloc(hosts * sizeof *rank);
  if (!ways || !rank) hal_abort("ds_linkdrv: the node's memory is full; give it more (host.memory)");
  uint32_t totals[STC104_LINKS] = {0}; /* by first link */
  for (uint32_t host = 0; host < hosts; ++host) {
    ways[host] = labelling_to_host(labelling, switch_, host);
    rank[host] = totals[ways[host].first]++;
  }
  for (uint32_t host = 0; host < hosts; ++host) {
    const struct ways* to = &ways[host];
    if (to->count == 0) continue; /* cut off: its headers take the next host's way, and are not sent */
    add(&plan->table, switch_, (host + 1) * headers, link_of(to, rank[host], totals[to->first]));
    if (!to->shared_out && (host == 0 || !same(to, &ways[host - 1])))
      for (uint32_t i = 1; i < to->count; ++i) plan->grouped |= 1u << (to->first + i);
  }
  free(ways);
  free(rank);
}

/* Universal routing: each switch of the highest level has one header, after those of the hosts. */
static void plan_tops(const struct labelling* labelling, uint32_t switch_, uint32_t first, struct switch_plan* plan) {
  uint32_t top;
  for (uint32_t n = 0; (top = labelling_top(labelling, n)) != UINT32_MAX; ++n) {
    if (top == switch_ || labelling->level[switch_] == labelling->highest) continue;
    const struct ways to = labelling_to_switch(labelling, switch_, top);
    add(&plan->table, switch_, first + n + 1, to.first);
    for (uint32_t i = 1; i < to.count; ++i) plan->grouped |= 1u << (to.first + i);
  }
}

static uint32_t count_tops(const struct labelling* labelling) {
  uint32_t count = 0;
  while (labelling_top(labelling, count) != UINT32_MAX) ++count;
  return count;
}

static void load(uint64_t control, const struct labelling* labelling, uint32_t switch_, uint32_t headers,
                 int deletes_header) {
  const struct stc104_network* network = labelling->network;
  const int universal = network->uplinks == STC104_UPLINKS_UNIVERSAL;
  const uint32_t first_top = network->hosts * headers, tops = count_tops(labelling);
  struct switch_plan plan = {0};
  plan_hosts(labelling, switch_, headers, &plan);
  if (universal) {
    plan.grouped = 0; /* now each way up leads to another switch: the drawn header decides */
    struct switch_plan down = {0};
    plan_tops(labelling, switch_, first_top, &plan);
    plan_hosts(labelling, switch_, headers, &down);
    if (labelling->level[switch_] == labelling->highest) plan.grouped = down.grouped;
  }
  for (uint32_t link = 0; link < STC104_LINKS; ++link) {
    const uint32_t word = labelling_peer(labelling, switch_, link);
    if (word == STC104_PEER_NONE) continue;
    const int is_host = STC104_PEER_IS_HOST(word);
    const uint32_t base = STC104_LINK(link);
    uint32_t mode = (plan.grouped >> link & 1u) ? STC104_MODE_GROUPED : 0;
    if (is_host && deletes_header) mode |= STC104_MODE_DELETE;
    if (is_host && universal) {
      mode |= STC104_MODE_RANDOMISE;
      poke(control, switch_, base + STC104_RANDOM, STC104_RANGE(first_top, tops));
    }
    if (universal && labelling->level[switch_] == labelling->highest)
      poke(control, switch_, base + STC104_OWN, STC104_RANGE(first_top, tops));
    poke(control, switch_, base + STC104_MODE, mode);
    for (uint32_t i = 0; i < plan.table.count; ++i)
      poke(control, switch_, base + STC104_INTERVAL(i), plan.table.entries[i]);
  }
}

void configure(uint64_t control, const struct stc104_network* network, uint32_t headers, int deletes_header) {
  verify(control, network);
  struct labelling labelling;
  labelling_make(&labelling, network);
  for (uint32_t switch_ = 0; switch_ < network->switches; ++switch_)
    load(control, &labelling, switch_, headers, deletes_header);
  labelling_free(&labelling);
}
