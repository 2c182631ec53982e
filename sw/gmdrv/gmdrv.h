/* Requests of processes to a Myrinet card's driver, by hal_ioctl(), and their arguments. sw/gm makes them; programs
 * call GM. Every request returns 0, or -1 with the reason in `error`.
 */
#ifndef SANVP_GMDRV_H
#define SANVP_GMDRV_H

#include <stdint.h>

#include "sw/gm/lcp.h"
#include "sw/hal/hal.h"

/* A port for the calling process. Its events go to `events`, LCP_EVENT_SLOTS struct lcp_event of its memory. */
struct gmdrv_open {
  char error[HAL_ERROR_BYTES];
  uint32_t port;
  uint64_t events;      /* address of the process */
  uint32_t node, nodes; /* out */
  uint64_t slots;       /* out: bus address of its struct lcp_port */
};

struct gmdrv_close {
  char error[HAL_ERROR_BYTES];
  uint32_t port;
};

/* Memory of the caller that the card may touch for the port. */
struct gmdrv_memory {
  char error[HAL_ERROR_BYTES];
  uint32_t port;
  uint64_t pointer; /* address of the process */
  uint64_t bytes;
};

/* Port 1, the mapper's, may send mapping packets and store routes. */
#define GMDRV_MAPPER_PORT 1u
struct gmdrv_mapper {
  char error[HAL_ERROR_BYTES];
  uint64_t routes; /* out: bus address of the route table in SRAM */
};

enum gmdrv_request {
  GMDRV_OPEN = HAL_REQUEST(1, struct gmdrv_open),
  GMDRV_CLOSE = HAL_REQUEST(2, struct gmdrv_close),
  GMDRV_REGISTER = HAL_REQUEST(3, struct gmdrv_memory),
  GMDRV_DEREGISTER = HAL_REQUEST(4, struct gmdrv_memory),
  GMDRV_MAPPER = HAL_REQUEST(5, struct gmdrv_mapper)
};

#endif
