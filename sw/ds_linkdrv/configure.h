/* The configuration program: computes the tables of all STC104s from the cabling, and loads them over the control
 * network, before any packet is sent. */
#ifndef SANVP_DS_LINKDRV_CONFIGURE_H
#define SANVP_DS_LINKDRV_CONFIGURE_H

#include <stdint.h>

#include "models/nic/stc104/registers.h"

struct labelling {
  const struct stc104_network* network; /* as described */
  uint32_t* peers;                      /* of that, [switches][STC104_LINKS], without failed cables */
  uint32_t* level;                      /* [switches]: distance to the nearest host; 0: it has hosts */
  uint32_t* distance;                   /* [switches][switches], by target */
  uint32_t* home;                       /* [hosts]: the switch that a host is on */
  uint32_t highest;                     /* the largest level */
  struct detours* detours; /* NULL if shortest paths are safe: no failures, or only of cables beside others */
};

static inline uint32_t labelling_peer(const struct labelling* labelling, uint32_t switch_, uint32_t link) {
  return labelling->peers[switch_ * STC104_LINKS + link];
}
/* Spreads distances from the first `waiting` switches in `queue`, whose distances are 0, to all connected switches;
 * others keep UINT32_MAX. */
void labelling_spread(const struct labelling* labelling, uint32_t* distance, uint32_t* queue, uint32_t waiting);

void labelling_make(struct labelling* labelling, const struct stc104_network* network);
void labelling_free(struct labelling* labelling);

/* The links of one switch to one destination. */
struct ways {
  uint32_t first, count; /* adjacent links; count 0: none */
  int shared_out;        /* not a group: each link serves a share of the destinations with these links */
};
struct ways labelling_to_host(const struct labelling* labelling, uint32_t switch_, uint32_t host);
struct ways labelling_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target);

/* The n-th of the switches farthest from hosts, among which universal routing draws, or UINT32_MAX. */
uint32_t labelling_top(const struct labelling* labelling, uint32_t n);

/* Loads the tables of all switches, over the window of the control network.
 * @param headers        per node: node n has n * headers and the following ones
 * @param deletes_header whether links to hosts delete headers
 * Ends the run with a message if a switch does not exist or has too few intervals. */
void configure(uint64_t control, const struct stc104_network* network, uint32_t headers, int deletes_header);

#endif
