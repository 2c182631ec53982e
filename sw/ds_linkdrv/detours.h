/* Deadlock-free routes in a damaged network: down as soon as some way that only goes
 * down leads to the target, else up ("up, then down" routing). Up is away from the hosts; if that leaves connected
 * switches without a route, or if all have hosts, it is towards the root of a breadth-first tree. */
#ifndef SANVP_DS_LINKDRV_DETOURS_H
#define SANVP_DS_LINKDRV_DETOURS_H

#include "sw/ds_linkdrv/configure.h"

struct detours {
  uint32_t* rank;   /* [switches]: up is towards the higher rank */
  uint32_t* up;     /* [switches]: a bit for each link to a switch above */
  uint8_t* goes_up; /* [switches][switches], by target: whether the way there begins upwards */
  uint32_t* groups; /* [switches]: a bit for each link that begins a group; a group is the same for all targets */
};

/* Whether some switch has lost its last cable to another: the shortest ways are not safe then. */
int detours_needed(const struct labelling* labelling);
/* Sets the labelling's distances, too: along these ways. */
struct detours* detours_make(struct labelling* labelling);
void detours_free(struct detours* detours);
struct ways detours_to_switch(const struct labelling* labelling, uint32_t switch_, uint32_t target);

#endif
