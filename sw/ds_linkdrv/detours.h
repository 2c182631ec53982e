/* Routes through a network with failures, without cycles of waiting: down as soon as a path that only goes down leads
 * to the target, otherwise up ("up, then down" routing). Up is away from the hosts; where that leaves connected
 * switches without a route, and where all switches have hosts, up is towards the root of a breadth-first tree. */
#ifndef SANVP_DS_LINKDRV_DETOURS_H
#define SANVP_DS_LINKDRV_DETOURS_H

#include "sw/ds_linkdrv/configure.h"

struct detours {
  uint32_t* rank;   /* [switches]: up is towards a higher rank */
  uint32_t* up;     /* [switches]: a bit for each link to a switch above */
  uint8_t* goes_up; /* [switches][switches], by target: whether the path begins upwards */
  uint32_t* groups; /* [switches]: a bit for each link that begins a group; groups are the same for all targets */
};

/* Whether some switch has lost its last cable to a neighbour: shortest paths are not safe then. */
int detours_needed(const struct labelling* labelling);
/* Also sets the labelling's distances along these routes. */
struct detours* detours_make(struct labelling* labelling);
void detours_free(struct detours* detours);
struct ways detours_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target);

#endif
