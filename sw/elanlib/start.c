/* A process's start: its card, its neighbours, and the group of all. */
#include <stdlib.h>

#include "sw/elanlib/group.h"
#include "sw/hal/hal.h"

/* The processes of each node, known from the capability. */
static void find_neighbours(struct elan_base* base, const ELAN_CAPABILITY* capability) {
  char* seen = calloc((size_t)hal_nodes(), 1);
  const int my_node = capability->nodes[base->self];
  for (unsigned i = 0; i < base->count; ++i) {
    const int node = capability->nodes[i];
    base->nodes += !seen[node];
    seen[node] = 1;
    if (node == my_node) {
      if (base->node_count == ELAN3_PROCESSES_PER_NODE)
        hal_abort("elan_baseInit: a node takes 16 processes of a job; spread them over more nodes");
      if (i == base->self) base->node_self = base->node_count;
      base->neighbour[base->node_count++] = i;
    }
  }
  free(seen);
}

ELAN_BASE* elan_baseInit(void) {
  static struct elan_base* base;
  if (base) return base;
  base = calloc(1, sizeof *base);
  ELAN_CAPABILITY capability;
  elan_getenvCap(&capability);
  base->ctx = elan3_init();
  elan3_block_inputter(base->ctx, 1);
  elan3_attach(base->ctx, &capability);
  elan3_addvp(base->ctx, 0, capability.processes);
  base->self = elan3_process(base->ctx);
  base->count = elan3_nprocs(base->ctx);
  base->symmetric = ELAN3_SYMMETRIC_BASE;
  find_neighbours(base, &capability);
  /* Globals first: so they have the same Elan addresses in all processes of a program. */
  elan3_addressable(base->ctx, &base, sizeof base);
  elan_meetings_start(base);
  base->all = elan_group_create(base, NULL, base->count, 0, 0);
  elan3_block_inputter(base->ctx, 0);
  elan_gsync(base->all);
  return base;
}
