/* The configuration program: computes the tables of all STC104s from the cabling, and loads them over the control
 * network, before any packet is sent. */
#ifndef SANVP_DS_LINKDRV_CONFIGURE_H
#define SANVP_DS_LINKDRV_CONFIGURE_H

#include <stdint.h>

#include "sw/abi/registers/stc104.h"

struct labelling {
  const struct stc104_network* network; /* as written down */
  uint32_t* peers;                      /* of it, [switches][STC104_LINKS], without what failed cables led to */
  uint32_t* level;                      /* [switches]: switches to the nearest host; 0: it has some */
  uint32_t* distance;                   /* [switches][switches], by target */
  uint32_t* home;                       /* [hosts]: the switch that a host is attached to */
  uint32_t highest;                     /* level */
  struct detours* detours; /* NULL if shortest ways are safe: nothing has failed but cables with working parallels */
};

static inline uint32_t labelling_peer(const struct labelling* labelling, uint32_t switch_, uint32_t link) {
  return labelling->peers[switch_ * STC104_LINKS + link];
}
/* Breadth-first search from the first `waiting` switches in `queue`, with distance 0, along cables; the distances
 * of others stay UINT32_MAX. */
void labelling_spread(const struct labelling* labelling, uint32_t* distance, uint32_t* queue, uint32_t waiting);

void labelling_make(struct labelling* labelling, const struct stc104_network* network);
void labelling_free(struct labelling* labelling);

/* The ways of one switch to one destination. */
struct ways {
  uint32_t first, count; /* links, next to each other; count 0: none */
  int shared_out;        /* not a group: each link has a share of the destinations with these ways */
};
struct ways labelling_to_host(const struct labelling* labelling, uint32_t switch_, uint32_t host);
struct ways labelling_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target);

/* The switches furthest from hosts, among which universal routing draws: the n-th, or UINT32_MAX. */
uint32_t labelling_top(const struct labelling* labelling, uint32_t n);

/* Loads the tables of all switches, over the window of the control network.
 * @param headers        of a node: node n has n * headers and so many on
 * @param deletes_header links to hosts delete headers
 * Ends the run with a message if a switch does not answer, or has too few intervals. */
void configure(uint64_t control, const struct stc104_network* network, uint32_t headers, int deletes_header);

#endif
