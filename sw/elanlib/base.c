/* A process's start, and memory that all have at the same Elan address. */
#include "sw/elanlib/base.h"

#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

/* Who shares this node with whom: known from the capability. */
static void find_neighbours(struct elan_base* base, const ELAN_CAPABILITY* capability) {
  base->leaders = malloc(capability->processes * sizeof *base->leaders);
  char* seen = calloc((size_t)hal_nodes(), 1);
  const int my_node = capability->nodes[base->self];
  for (unsigned i = 0; i < base->count; ++i) {
    const int node = capability->nodes[i];
    if (!seen[node]) {
      if (node == my_node) {
        base->leader = i;
        base->my_node = base->nodes;
      }
      base->leaders[base->nodes++] = i;
      seen[node] = 1;
    }
    if (node == my_node) {
      if (i == base->self) base->node_self = base->node_count;
      ++base->node_count;
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
  elan3_attach(base->ctx, &capability);
  elan3_addvp(base->ctx, 0, capability.processes);
  base->self = elan3_process(base->ctx);
  base->count = elan3_nprocs(base->ctx);
  base->symmetric = ELAN3_SYMMETRIC_BASE;
  find_neighbours(base, &capability);
  /* Globals first: so they have the same Elan addresses in all processes of a program. */
  elan3_addressable(base->ctx, &base, sizeof base);
  base->all = elan_group_create(base);
  elan_gsync(base->all);
  return base;
}

ELAN3_CTX* elan_ctx(const ELAN_BASE* base) { return base->ctx; }

ELAN_GROUP* elan_allGroup(const ELAN_BASE* base) { return base->all; }

void* elan_gallocMain(ELAN_BASE* base, size_t size) {
  size = (size + E3_PAGE_BYTES - 1) & ~(size_t)(E3_PAGE_BYTES - 1);
  if (size == 0 || size > ELAN3_SYMMETRIC_BASE + ELAN3_SYMMETRIC_BYTES - base->symmetric) return NULL;
  void* memory = aligned_alloc(E3_PAGE_BYTES, size);
  if (!memory) return NULL;
  memset(memory, 0, size);
  elan3_mapSymmetric(base->ctx, memory, base->symmetric, size);
  base->symmetric += (E3_Addr)size;
  return memory;
}

E3_Addr elan_gallocElan(ELAN_BASE* base, size_t size) { return elan3_gallocElan(base->ctx, CACHE_LINE, size); }

E3_Addr elan_address(ELAN_BASE* base, const volatile void* pointer, size_t size) {
  if (!elan3_addressable(base->ctx, pointer, size))
    hal_abort("elan_address: the buffer is not memory of this process; pass a pointer into its heap, globals or stack");
  return elan3_main2elan(base->ctx, pointer);
}
