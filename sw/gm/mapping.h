/* Mapping packets: a mapper's requests to control programs, which answer by a route that the packet contains. */
#ifndef SANVP_GM_MAPPING_H
#define SANVP_GM_MAPPING_H

#include "sw/gm/firmware/lcp/packet.h"

#define MAPPING_PORT 1u /* of the mapper: it alone sends raw packets and is told of their replies */

/* Numbers (A). */
enum mapping_subtype {
  MAPPING_SCOUT = 1, /* asks for the receiver's identity; one that returns to its sender is passed to the host there */
  MAPPING_ROUTES,    /* entries for your route table */
  MAPPING_REPLY
};

struct mapping_scout {
  struct lanai_route back; /* route of the reply */
  uint32_t cookie;         /* comes back with it */
  uint32_t first, count;   /* ROUTES: the nodes of the entries that follow */
  uint32_t unused;
};
struct mapping_reply {
  uint32_t cookie;
  uint32_t node; /* that replies */
};

/* The largest number of nodes with entries in one packet. */
#define MAPPING_NODES ((LCP_MTU - sizeof(struct mapping_scout)) / (LANAI_ROUTES * sizeof(struct lanai_route)))

#endif
