/* What processes ask of a Myrinet card's driver: requests of hal_ioctl() and their arguments. sw/gm makes them;
 * programs call GM. Every request answers 0, or -1 with the reason in `error` (constant text).
 */
#ifndef SANVP_GMDRV_H
#define SANVP_GMDRV_H

#include <stdint.h>

#include "sw/gm/lcp.h"

enum gmdrv_request { GMDRV_OPEN = 1, GMDRV_CLOSE, GMDRV_REGISTER, GMDRV_DEREGISTER, GMDRV_MAPPER };

/* A port for the calling process. Its events go to `events`, LCP_EVENT_SLOTS struct lcp_event of its memory. */
struct gmdrv_open {
  const char* error;
  uint32_t port;
  struct lcp_event* events;
  uint32_t node, nodes; /* out */
  uint64_t slots;       /* out: bus address of its struct lcp_port */
};

struct gmdrv_close {
  const char* error;
  uint32_t port;
};

/* Memory of the caller that the card may touch for the port. */
struct gmdrv_memory {
  const char* error;
  uint32_t port;
  void* pointer;
  uint64_t bytes;
};

/* Port 1, the mapper's, may send mapping packets and store routes. */
#define GMDRV_MAPPER_PORT 1u
struct gmdrv_mapper {
  const char* error;
  uint64_t routes; /* out: bus address of the route table in SRAM */
};

#endif
