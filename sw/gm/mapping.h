/* Mapping packets: requests of a mapper to control programs, which reply on a route that the packet contains. */
#ifndef SANVP_GM_MAPPING_H
#define SANVP_GM_MAPPING_H

#include "sw/gm/firmware/lcp/packet.h"

#define MAPPING_PORT 1u /* of the mapper: only it sends raw packets and receives their replies */

/* Numbers (A). */
enum mapping_subtype {
  MAPPING_SCOUT = 1, /* asks for the node's identity; one that returns to its sender is reported to its host */
  MAPPING_ROUTES,    /* entries for the node's route table */
  MAPPING_REPLY
};

struct mapping_scout {
  struct lanai_route back; /* of the reply */
  uint32_t cookie;         /* copied to the reply */
  uint32_t first, count;   /* ROUTES: nodes, whose entries follow */
  uint32_t unused;
};
struct mapping_reply {
  uint32_t cookie;
  uint32_t node; /* the replying node */
};

/* Number of nodes whose entries fit into a packet. */
#define MAPPING_NODES ((LCP_MTU - sizeof(struct mapping_scout)) / (LANAI_ROUTES * sizeof(struct lanai_route)))

#endif
